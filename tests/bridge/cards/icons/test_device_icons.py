"""The icons of the device's own screens are those of the table."""

from screen.type import icons
from voxcard.cards.icons.table import ICONS


def test_every_icon_of_a_screen_is_the_one_of_its_name():
    for name, character in vars(icons).items():
        if name.isupper():
            assert ord(character) == ICONS[name.lower()].code, name
