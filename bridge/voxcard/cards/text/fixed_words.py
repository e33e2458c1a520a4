"""Fixed words of cards by language: buttons, states, remarks. All other words are the author's."""

from collections.abc import Mapping

_ENGLISH = {
    "allow": "Allow",
    "deny": "Deny",
    "stop": "Stop",
    "open": "Open",
    "cancel": "Cancel",
    "more": "More",
    "yes": "Yes",
    "no": "No",
    "tool": "Tool",
    "link": "Link",
    "video": "Video",
    "audio": "Sound",
    "working": "Working",
    "running": "Running",
    "waiting": "Waiting for you",
    "done": "Done",
    "failed": "Failed",
    "stopped": "Stopped",
    "background": "Background job",
    "sure": "Are you sure?",
    "may_go_on": "May it go on?",
    "on_phone": "Open it on your phone.",
    "no_room": "The code is too large for this screen.",
    "open_map": "Open in OpenStreetMap",
    "no_map_image": "No map image.",
}
_ROMANIAN = {
    "allow": "Permite",
    "deny": "Refuză",
    "tool": "Unealtă",
    "open_map": "Deschide în OpenStreetMap",
    "no_map_image": "Fără imaginea hărții.",
}
_LANGUAGES: Mapping[str, Mapping[str, str]] = {"en": _ENGLISH, "ro": {**_ENGLISH, **_ROMANIAN}}


def fixed_words(locale: str = "en") -> Mapping[str, str]:
    """The words in the language of a locale such as `ro-RO`, English where there are none."""
    return _LANGUAGES.get(locale[:2].lower(), _ENGLISH)


WORDS = fixed_words()
