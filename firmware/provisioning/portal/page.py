"""The one page of the portal, in pieces of some hundred bytes; pure.

No part of it comes from elsewhere, and it works without scripts: a phone shows it in a small
browser of its own.
"""

from collections import namedtuple

# `name` of the device, `networks` [(ssid, word for its signal, open)], `values` {field: text},
# `errors` {field: sentence}, `token` of the form; `notice` a sentence about all of it, `busy`
# what goes on meanwhile: then there is no form, and the page asks again by itself.
Content = namedtuple(
    "Content", ("name", "networks", "values", "errors", "token", "notice", "busy")
)

_STYLE = (
    ":root{color-scheme:light dark;font:1.1rem/1.5 system-ui,sans-serif}"
    "body{margin:0 auto;max-width:30rem;padding:1rem}h1{font-size:1.4rem}"
    "label,legend{font-weight:600;display:block;margin-top:.8rem}"
    "input,select,button{font:inherit;width:100%;box-sizing:border-box;padding:.6rem;min-height:3rem}"
    "[type=checkbox]{width:1.5rem;min-height:1.5rem;vertical-align:middle;margin-right:.5rem}"
    "fieldset{border:1px solid;border-radius:.5rem;margin:0 0 1rem;padding:0 1rem 1rem}"
    "button{margin-top:1rem;border-radius:.5rem}.e{margin:.2rem 0;border-left:.3rem solid;"
    "padding-left:.5rem;color:light-dark(#a30000,#ff9d94)}small{display:block}"
    "[role]{border:2px solid;border-radius:.5rem;padding:.5rem 1rem}"
)
# Of a field: name, label, kind and limits, hint.
_WIFI = (
    ("ssid", "Or its name", "maxlength=32 autocapitalize=none spellcheck=false", ""),
    ("secret", "Password", "type=password maxlength=64 autocomplete=off", ""),
    ("country", "Country", "maxlength=2 size=2", "Two letters, such as DE. May be empty."),
)
_DEVICE = (("name", "Name of this device", "maxlength=48", "Such as Kitchen. May be empty."),)
_BRIDGE = (
    ("host", "Address of the bridge", "maxlength=128 autocapitalize=none spellcheck=false",
     "Empty: the device looks for it in the network."),
    ("port", "Port", "inputmode=numeric maxlength=5", ""),
    ("user", "User of the broker", "maxlength=64 autocapitalize=none autocomplete=off", ""),
    ("password", "Password of the broker", "type=password maxlength=128 autocomplete=off",
     "Empty: as it is, while address and user stay."),
)  # fmt: skip
REFRESH_S = 3


def escaped(text: str) -> str:
    """The text as HTML, in an attribute too."""
    for sign, name in (("&", "amp"), ("<", "lt"), (">", "gt"), ('"', "quot"), ("'", "#39")):
        text = text.replace(sign, "&%s;" % name)
    return text


def pieces(content: Content):
    """The page, str by str."""
    yield "<!doctype html><html lang=en><meta charset=utf-8>"
    yield "<meta name=viewport content='width=device-width,initial-scale=1'>"
    if content.busy:
        yield "<meta http-equiv=refresh content='%d;url=/'>" % REFRESH_S
    yield "<title>Set up %s</title><style>" % escaped(content.name)
    yield _STYLE
    yield "</style><main><h1>Set up %s</h1>" % escaped(content.name)
    if content.notice:
        role = "alert" if content.errors else "status"
        yield "<p role=%s>%s</p>" % (role, escaped(content.notice))
    if content.busy:
        yield "<p role=status>%s</p><p>If this page stays as it is, join the device's Wi-Fi" % (
            escaped(content.busy)
        )
        yield " again: it has moved to the channel of yours.</p>"
    elif content.token:
        for piece in _form(content):
            yield piece
    yield "</main></html>"


def _form(content: Content):
    token = "<input type=hidden name=token value=%s>" % content.token
    # A form of its own: the key Enter presses the first button of a form.
    yield "<form id=again method=post action=/>%s</form><form method=post action=/>%s" % (
        token, token
    )  # fmt: skip
    yield "<fieldset><legend>Wi-Fi</legend><label for=pick>Network</label>"
    yield "<select id=pick name=pick><option value=''>Another, named below</option>"
    chosen = content.values.get("pick", "")
    for ssid, signal, is_open in content.networks:
        text = escaped(ssid)
        yield "<option value='%s'%s>%s (%s%s)</option>" % (
            text, " selected" if ssid == chosen else "", text, signal, ", open" if is_open else ""
        )  # fmt: skip
    yield "</select><button form=again name=action value=scan>Look for networks again</button>"
    first = ([row[0] for row in _WIFI + _DEVICE + _BRIDGE if row[0] in content.errors] + [""])[0]
    for piece in _fields(_WIFI, content, first):
        yield piece
    if content.errors:
        yield "<label><input type=checkbox name=anyway value=1>Keep it even if it cannot be"
        yield " joined now</label>"
    yield "</fieldset><fieldset><legend>Device</legend>"
    for piece in _fields(_DEVICE, content, first):
        yield piece
    yield "</fieldset><fieldset><legend>Bridge</legend>"
    for piece in _fields(_BRIDGE, content, first):
        yield piece
    yield "</fieldset><button name=action value=join>Join</button></form>"


def _fields(rows: "tuple[tuple[str, ...], ...]", content: Content, first: str):
    """The fields of `rows`; `first` is the one where the person goes on."""
    for name, label, kind, hint in rows:
        error = content.errors.get(name)
        said = (["e-" + name] if error else []) + (["h-" + name] if hint else [])
        yield "<label for=%s>%s</label><input id=%s name=%s %s" % (name, label, name, name, kind)
        if content.values.get(name):
            yield " value='%s'" % escaped(str(content.values[name]))
        if said:
            yield " aria-describedby='%s'" % " ".join(said)
        if error:
            yield " aria-invalid=true%s" % (" autofocus" if name == first else "")
        yield ">"
        if error:
            yield "<p class=e id=e-%s>%s</p>" % (name, escaped(error))
        if hint:
            yield "<small id=h-%s>%s</small>" % (name, hint)
