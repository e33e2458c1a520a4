"""What a screen shows while a device is set up, as cards of its own; pure."""

from screen.cells import wrap
from voxwire.card import Card, QrPage, TextPage, layout, qr_layout, text_line

from provisioning import qr_code

_QUIET = 2
_SMALL = 160  # px; there a narrower edge makes larger modules
_ROUND = 68  # a square of so many hundredths of the diameter leaves a row above and below


def wifi_text(ssid, password):
    """The text that phones know as a Wi-Fi."""
    return "WIFI:T:WPA;S:%s;P:%s;;" % (_escaped(ssid), _escaped(password))


def _escaped(text):
    # The backslash first: the others are given one.
    for sign in '\\;,:"':
        text = text.replace(sign, "\\" + sign)
    return text


def scale_of(screen, cols=1):
    """(px a module, quiet modules) of the largest code that leaves room for its caption.

    `cols`: cells of what must not be cut there.
    """
    side_max = min(screen.width, screen.height)
    quiets = (_QUIET,) if side_max > _SMALL else (_QUIET, 1)
    rows = 2
    if screen.shape == "round":
        side_max, rows = side_max * _ROUND // 100, 1
    for scale in range(side_max // qr_code.MODULES, 1, -1):
        for quiet in quiets:
            if (qr_code.MODULES + 2 * quiet) * scale > side_max:
                continue
            caption = qr_layout(screen, qr_code.MODULES, scale, quiet).caption
            if caption.rows >= rows and caption.cols >= cols:
                return scale, quiet
    # A small screen is nothing but the code; the words are on the next page.
    return max(1, side_max // (qr_code.MODULES + 2)), 1


def invitation(screen, ssid: str, password: str, address: str, why: str = "", own=None):
    """The card that lets a phone in: the code with its words, then the same in sentences.

    `own` is the view's own_cards, where it has them.
    """
    rows = qr_code.rows(wifi_text(ssid, password))
    scale, quiet = scale_of(screen, len(password))
    area = qr_layout(screen, qr_code.MODULES, scale, quiet).caption
    # A narrow column breaks the name at its hyphen.
    name = ssid if len(ssid) <= area.cols else ssid.replace("-", "-\n")
    lines = wrap(name + "\n" + password, area.cols, area.rows) if area.rows > 1 else [password]
    lines = tuple([text_line(line) for line in lines])
    code = QrPage("Set up", lines, 0, qr_code.MODULES, rows, scale, quiet)
    text = "Scan the code with a phone, or join the Wi-Fi %s with the password %s. " % (
        ssid, password
    )  # fmt: skip
    text += "If no page opens, open http://%s in the browser." % address
    return _card((code,) + _pages(screen, (why + "\n" if why else "") + text, own, 1))


def note(screen, text, own=None):
    """A card of one text."""
    return _card(_pages(screen, text, own, 0))


def _pages(screen, text, own, before):
    pages = own and own.pages(text, "Set up", before)
    if pages:
        return pages
    body = layout(screen).body
    lines = [text_line(line) for line in wrap(text, body.cols, 8 * body.rows)]
    return tuple([
        TextPage("Set up", tuple(lines[at : at + body.rows]), 0)
        for at in range(0, len(lines), body.rows)
    ])  # fmt: skip


def _card(pages):
    return Card("", 0, pages, "", 0, 0, False, False, ())
