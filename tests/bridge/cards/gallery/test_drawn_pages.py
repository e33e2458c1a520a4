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
    "a2ui/template_of_80": "240x240",
    "a2ui_examples/22_invitation": "240x240",
    "assistant_platform/01_full_card": "240x240-round",
    "assistant_platform/08_text_300_with_breaks": "240x240",
    "codai/35_map_on_watch_first_pins": "240x240-round",
    "codai/gallery_of_twelve": "240x240",
    "codai/links_with_long_title": "240x240 240x240-round",
    "codai/list_of_40": "240x240",
    "codai/map_pins_named_by_address": "240x240-round",
    "codai/places_without_names": "240x240-round",
    "codai/products_long_names": "240x240",
    "codai/timeline_latest_step_first": "240x240",
    "codai/two_pins_and_a_link_for_the_whole": "240x240-round",
    "companion/forty_links": "240x240",
    "gallery/delivery.codai": "240x240-round",
    "gallery/news.sidetalk": "240x240-round",
    "gallery/parcel.platform": "240x240",
    "gallery/score.codai": "240x240 240x240-round",
    "gallery/today.companion": "240x240",
    "gallery/washer.platform": "240x240-round",
    "mcp_chat_cards/28_huge_scene_text": "240x240",
    "mcp_chat_cards/arguments_alone_tab": "240x240",
    "mcp_chat_cards/result_holds_tab": "240x240",
    "mcp_result/json_long_is_a_card": "240x240",
    "mcp_result/khmer_long": "240x240-round",
    "mcp_result/long_text_is_a_card": "240x240",
    "mcp_result/md_autolinks": "240x240-round",
    "mcp_result/nine_links_counted": "240x240 240x240-round",
    "mcp_result/one_word_of_2000": "240x240",
    "mcp_result/seventh_link_is_told": "80x160",
    "mcp_result/sixty_pages_text": "240x240",
    "sidetalk/32_long_description_9000": "240x240",
    "sidetalk/list_of_25_with_links": "240x240 320x240",
    "sidetalk/sixteenth_choice_is_told": "240x240 240x240-round 320x240 80x160",
}
KNOWN = (
    Known("contrast of bars", "", "", "white on WARN of the dark theme is 4.18"),
    Known("capitals", "*", "*", "faces of odd heights are painted one px above their line"),
    Known("small text", "*", "*", "texts of more than three pages are as small as captions"),
    Known("small title", "*", "*", "a title gets smaller before it takes two lines"),
    Known("small label", "*", "*", "words of a code and values of a chart are captions"),
    Known("little used", "answer.a2ui", "*", "a short answer is two lines at the top"),
    Known("little used", "door.mcp", "*", "a picture's words have a page of their own"),
    Known("little used", "guest-wifi.codai", "*", "a code's title has a page of its own"),
    Known("past the rim", "door.mcp", "240x240-round", "corners of a picture, 4 px"),
    Known("cut number", "gallery/rooms.codai", "240x240*", "columns of a table are cut to 2…"),
    Known("cut number", "codai/chart_negative_and_huge", "80x160", "a value of 16 digits"),
    Known("choices alike", "gallery/call.mcp", "*", "labels have one line"),
    Known("choices alike", "a2ui*", "80x160", "labels have one line"),
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
