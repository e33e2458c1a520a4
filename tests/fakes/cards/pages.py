"""What pages of a fitted card show, of cells or of type."""

from voxwire import card as wire
from voxwire.type import drawing


def code_of(page):
    """The page's code (modules, rows, scale, quiet), None without one."""
    return page if isinstance(page, wire.QrPage) else getattr(page, "code", None)


def texts_of(page):
    """Every text on a page, in the order it is drawn; drawn lines are no texts."""
    if isinstance(page, drawing.DrawnPage):
        texts = [item.text for item in page.items if isinstance(item, drawing.Text)]
        return texts + [each.label for each in page.options if isinstance(each.label, str)]
    words = [page.title, *(line.text for line in page.lines)]
    words += [option.label for option in getattr(page, "options", ())]
    return [each for each in words if isinstance(each, str)]


def faces_of(page, screen):
    """(face, text) of every text on a page of type."""
    return [
        (screen.faces[item.face], item.text)
        for item in page.items
        if isinstance(item, drawing.Text)
    ]
