"""A chart that begins where a round page ends."""

from itertools import count

import pytest
from voxcard.cards.fit.fit import fit
from voxcard.cards.model import Card, ChartBlock, TextBlock
from voxwire.type.drawing import Smooth

from tools.pictures.panels import PANELS

LINE = ChartBlock(summary="", points=(("9", 4.0), ("10", 6.0), ("11", 5.0)), kind="line")


@pytest.mark.parametrize("lines", range(9))
def test_a_line_chart_goes_to_the_next_page_from_any_height_of_a_round_one(lines):
    text = TextBlock(text="\n".join(["words"] * lines))
    card = Card(id="c", dialect="test", title="Today", blocks=(text, LINE))
    fitted = fit(card, PANELS["240x240-round"], now=0, next_blob=count(1).__next__)
    curves = [
        item for page in fitted.card.pages for item in page.items if isinstance(item, Smooth)
    ]
    assert [curve.width > 100 and curve.height > 50 for curve in curves] == [True]
