"""The fixed words of screens in the device's language. English stands where they are shown.

A language is a tuple of constants, which stays in flash where the code is frozen in. It is held
here, not by the screen's objects: every picture asks for words, and there is one language.
"""

import sys

_pairs = ()  # English, its counterpart, English, …


def use(locale: str) -> str:
    """Say `say` in the language of a locale (`de-CH`) from now on; the language, "en" where there
    are no words of it."""
    global _pairs
    language = locale.replace("_", "-").split("-")[0].lower()
    module = None
    if language.isalpha() and len(language) < 4 and language != "en":  # no other module
        name = "languages." + language
        try:
            package = __import__(name)
            # The tuple is all that is needed of it: nothing keeps the module.
            module = sys.modules.pop(name)
            delattr(package, language)
        except ImportError:
            pass
    _pairs = getattr(module, "WORDS", ())
    return language if _pairs else "en"


def say(text: str) -> str:
    """`text` in the language, itself where that has no word for it."""
    for at in range(0, len(_pairs), 2):
        if _pairs[at] == text:
            return _pairs[at + 1]
    return text
