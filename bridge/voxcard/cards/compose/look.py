"""How a card looks on one screen, whatever it says: its title, icon, source, and value."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from voxcard.cards.compose.chrome import Chrome
from voxcard.cards.compose.entries import Columns
from voxcard.cards.compose.hero import Hero
from voxcard.cards.compose.picture_page import PicturePart
from voxcard.cards.compose.rows import Part, Sheet
from voxcard.cards.compose.writers import part_of
from voxcard.cards.fit.entries import Entry
from voxcard.cards.fit.plan import Target
from voxcard.cards.icons.card_icon import icon_of_card
from voxcard.cards.icons.emoji import leading_emoji
from voxcard.cards.icons.names import icon_of_text
from voxcard.cards.icons.weather import Weather, weather_of
from voxcard.cards.model import Card, MetricBlock
from voxcard.cards.text.age import age
from voxcard.cards.text.sanitize import label as clean_label
from voxcard.cards.type.setting import Setting, Style, styles


class Look:
    """A card and a screen; `setting` is what texts are set with."""

    def __init__(self, card: Card, target: Target, setting: Setting) -> None:
        self.card, self.target, self.setting = card, target, setting
        self.styles = styles(target.screen)
        self.blob_ids = {
            key: each.blob or target.next_blob() for key, each in target.pictures.items()
        }
        self.wide_table = False  # a table that only dense type holds
        self.title_alone = False  # there is nothing but the title, which is the text then

    @property
    def usual(self) -> Style:
        """The style of a page that is neither short nor long."""
        return self.styles.usual

    @cached_property
    def is_value(self) -> bool:
        """Whether the card is about one value."""
        blocks = self.card.blocks
        return bool(blocks) and (isinstance(blocks[0], MetricBlock) or self.is_weather)

    @property
    def is_weather(self) -> bool:
        """Whether it begins with a sentence that says a temperature and the sky."""
        return self._weather is not None

    @cached_property
    def _weather(self) -> Weather | None:
        return weather_of(self.card)

    def chrome(self, style: Style) -> Chrome:
        """Title and foot of its pages in one style."""
        title = clean_label(self.card.title)
        if self._icon and leading_emoji(title)[1]:
            title = leading_emoji(title)[1]
        return Chrome(
            screen=self.target.screen,
            setting=self.setting,
            style=style,
            title=title,
            icon=None if self.is_value else self._icon,
            source=self._source,
            quiet=self.is_value,
            alone=self.title_alone,
        )

    def sheet(self, style: Style, pages: int) -> Sheet:
        """What rows are laid out with on a card of so many pages."""
        return Sheet(setting=self.setting, style=style, frame=self.chrome(style).frame(pages))

    def parts(self, entries: Sequence[Entry]) -> list[Part]:
        """How entries are laid out, in their order."""
        parts = [self._picture(entry) or part_of(entry) for entry in entries]
        if self._weather and parts:
            _, value, unit, sky = self._weather
            titled = bool(self.card.title)
            parts[0] = Hero(value=value, unit=unit, label=sky, icon=self._icon, titled=titled)
        elif self.is_value and parts and isinstance(parts[0], Hero):
            hero, title = parts[0], clean_label(self.card.title)
            icon = self._icon or icon_of_text(hero.label)
            label = "" if hero.label == title else hero.label
            parts[0] = replace(hero, label=label, icon=icon, titled=bool(title))
        return parts

    def columns(self, names: Sequence[str], lines: Sequence[Sequence[str]]) -> list[list[int]]:
        """The columns of a table that stand beside each other: the first with as many others as
        fit, then the first again with those that follow; none where two do not fit."""
        if not names:
            return []
        table = Columns(names=names, lines=lines, numbers=[False] * len(names))
        whole, divided, dense = [list(range(len(names)))], list[list[int]](), False
        for style in (self.styles.usual, self.styles.dense):
            sheet = self.sheet(style, 2)
            natural, gap = table.natural(sheet), style.face("body").cap
            room = sheet.frame.column(sheet.frame.next_top, gap)[1]
            if sum(natural) + gap * (len(natural) - 1) <= room:
                divided, dense = whole, style is self.styles.dense
                break
            groups = _divided(natural, gap, room)
            if groups and (not divided or len(groups) < len(divided)):
                divided, dense = groups, style is self.styles.dense
        self.wide_table = self.wide_table or dense
        return divided

    def _picture(self, entry: Entry) -> Part | None:
        if entry.picture is None:
            return None
        return PicturePart(
            picture=self.target.pictures[entry.picture],
            blob=self.blob_ids[entry.picture],
            caption=" ".join(entry.text.split()),
        )

    @cached_property
    def _icon(self) -> str | None:
        """The card's icon, or the emoji that its title begins with."""
        emoji, rest = leading_emoji(clean_label(self.card.title))
        return icon_of_card(self.card) or (emoji if rest else None) or None

    @cached_property
    def _source(self) -> str:
        origin = self.card.provenance
        if origin is None:
            return ""
        source, since = clean_label(origin.source), age(origin.fetched_at, self.target.now)
        if source == clean_label(self.card.title):
            source = ""  # it stands over the page
        return " · ".join(filter(None, (source, since)))


def _divided(natural: Sequence[int], gap: int, room: int) -> list[list[int]]:
    """Columns of these px in groups of at most `room`, each with the first."""
    if any(natural[0] + gap + each > room for each in natural[1:]):
        return []
    groups: list[list[int]] = []
    used = room
    for number in range(1, len(natural)):
        if used + gap + natural[number] > room or not groups:
            groups.append([0])
            used = natural[0]
        groups[-1].append(number)
        used += gap + natural[number]
    return groups or [[0]]
