"""The tools of sound: anybody closes the microphone, only a hand on the device opens it."""

from toolbox.registry import ToolError, boolean, choice, integer

MODES = ("off", "button", "wake_word")
_SAID = (
    "The microphone is off. Hold the device's button to switch it on.",
    "The microphone listens after a press.",
    "The device waits for its wake word.",
)


def install(registry, change) -> None:
    """Declare it; `change(name, value)` sets a setting, applies it and stores it."""

    @registry.tool(
        "self.audio_speaker.set_volume",
        "Set the speaker volume in percent. For a relative change call self.get_device_status"
        " first.",
        volume=integer(0, 100, "percent; 0 is silent"),
    )
    def set_volume(volume):
        change("volume", volume)
        return "The volume is now %d percent." % volume


def install_volumes(registry, change) -> None:
    """Declare what sounds apart from speech, and the night; `change` as of `install`."""

    @registry.tool(
        "self.audio_speaker.set_alarm_volume",
        "Set how loud timers, alarms and reminders ring, in percent.",
        volume=integer(10, 100, "percent"),
    )
    def set_alarm_volume(volume):
        change("alarm_volume", volume)
        return "Alarms ring at %d percent now." % volume

    @registry.tool(
        "self.audio_speaker.set_chime_volume",
        "Set how loud chimes are, in percent of the speech.",
        volume=integer(0, 100, "percent; 0: none"),
    )
    def set_chime_volume(volume):
        change("chime_volume", volume)
        return "Chimes are at %d percent now." % volume if volume else "Chimes are off now."

    @registry.tool(
        "self.set_night_mode",
        "Night mode: quiet speech, no chimes, a dark screen; alarms stay as loud.",
        on=boolean(),
    )
    def set_night_mode(on):
        change("night", "on" if on else "off")
        return "Night mode is %s now." % ("on" if on else "off")


def mode_of(settings) -> str:
    """What the microphone does, of MODES."""
    if settings.get("microphone") == "off":
        return MODES[0]
    return MODES[2 if settings.get("wake") == "on" else 1]


def install_microphone(registry, settings, change, confirm) -> None:
    """Declare it; `confirm(question)` is awaited for a person's yes, None without a screen."""

    def apply(mode):
        if mode == MODES[0]:
            change("microphone", "off")
        else:
            change("wake", "on" if mode == MODES[2] else "off")
            change("microphone", "on")
        return _SAID[MODES.index(mode)]

    async def allowed(mode):
        if not await confirm("Microphone: %s?" % mode.replace("_", " ")):
            raise ToolError("Nobody at the device allowed it.")
        return apply(mode)

    @registry.tool(
        "self.microphone.set_mode",
        "What the microphone does: off, button (listens after a press), wake_word (waits for its"
        " word). To open it further a person must hold the device's button.",
        mode=choice(MODES),
    )
    def set_mode(mode):
        if MODES.index(mode) <= MODES.index(mode_of(settings)):
            return apply(mode)
        if confirm is None:
            raise ToolError(
                "It is opened at the device alone: hold its button, or set wake to on."
            )
        return allowed(mode)
