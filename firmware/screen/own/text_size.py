"""Joins the setting of the size of text to the screen, and tells the bridge of a change."""

import log


def join(settings, view, link, cards, change):
    """`cards` is the DeviceCards, on whose card of sizes a person takes one; `change(name, value)`
    sets and stores a setting."""

    def update(text_size):
        view.set_text_size(text_size)
        if link.session_id is None:
            return  # the next hello says it
        if not link.post("event", name="text_size", text=text_size):
            link.say_hello()

    def choose(_card_id, text_size):
        try:
            change("text_size", text_size)
        except OSError as error:
            log.warning("settings", "the size of text cannot be stored (%s)" % error)

    cards.on_own = choose
    settings.watch("text_size", update)
