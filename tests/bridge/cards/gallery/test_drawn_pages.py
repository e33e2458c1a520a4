"""Pages of the gallery and of the golden cases, measured: sizes, contrast, places, use, codes."""

from fnmatch import fnmatchcase
from typing import NamedTuple

import pytest
from voxwire.type.drawing import DrawnPage

from tools.pictures import measured, pixels
from tools.pictures.measures import Fault


class Known(NamedTuple):
    """Faults that are there, by patterns of their measure, card and panel, and why."""

    measure: str
    card: str
    panel: str
    reason: str

    def covers(self, fault: Fault) -> bool:
        pairs = zip(self[:3], fault[:3], strict=True)
        return all(fnmatchcase(value, pattern) for pattern, value in pairs)


# Cards that take two pages more than in lines of one size, or more still, and where.
_MORE_PAGES = {
    "a2ui/31_v09_thirty_images_capped": "240x240",
    "assistant_platform/08_text_300_with_breaks": "240x240",
    "codai/34_watch_profile_cuts_long_card": "240x240",
    "codai/35_map_on_watch_first_pins": "240x240-round",
    "codai/list_of_40": "240x240",
    "codai/products_long_names": "240x240 240x240-round",
    "codai/text_of_60_pages": "240x240",
    "companion/forty_links": "240x240",
    "gallery/article.mcp": "240x240",
    "gallery/score.codai": "240x240",
    "gallery/today.companion": "240x240",
    "mcp_chat_cards/28_huge_scene_text": "240x240",
    "mcp_result/json_long_is_a_card": "240x240",
    "mcp_result/one_word_of_2000": "240x240",
    "mcp_result/seventh_link_is_told": "80x160",
    "mcp_result/sixty_pages_text": "240x240",
    "sidetalk/32_long_description_9000": "240x240",
    "sidetalk/list_of_25_with_links": "240x240",
    "sidetalk/sixteenth_choice_is_told": "240x240 240x240-round 320x240 80x160",
}
KNOWN = (
    Known("small text", "*", "*", "texts of many pages get smaller by steps, to captions at last"),
    Known("small title", "*", "*", "a title gets smaller before it takes two lines"),
    Known("small label", "*", "*", "words of a code and values of a chart are captions"),
    Known("little used", "answer.a2ui", "*", "one line of a short answer leaves the rest empty"),
    Known("little used", "door.mcp", "*", "a picture's words have a page of their own"),
    Known("little used", "guest-wifi.codai", "*", "a code's title has a page of its own"),
    Known("cut number", "codai/chart_negative_and_huge", "80x160", "a value of 16 digits"),
    *(
        Known("pages", card, panel, "more than one page more")
        for card, panels in _MORE_PAGES.items()
        for panel in panels.split()
    ),
)


@pytest.fixture(scope="module")
def pictures() -> list[measured.Page]:
    return measured.drawn()


@pytest.fixture(scope="module")
def faults(pictures) -> list[Fault]:
    return measured.faults(list(measured.laid_out()), pictures)


def test_nothing_is_below_its_limit_but_what_is_known(faults):
    assert [each for each in faults if not any(known.covers(each) for known in KNOWN)] == []


def test_what_is_known_is_still_so(faults):
    assert [known for known in KNOWN if not any(map(known.covers, faults))] == []


def test_pages_of_panels_with_colour_are_laid_out_in_type(pictures):
    cells = [each[:3] for each in pictures if not isinstance(each.page, DrawnPage)]
    assert {panel for _, panel, _ in cells} == {"128x64"}


def test_every_page_that_is_drawn_has_ink(pictures):
    empty = [each[:3] for each in pictures if not pixels.used(each.image, each.theme)]
    assert empty == []
