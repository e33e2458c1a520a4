"""The tools of sound: anybody closes the microphone, only a hand on the device opens it."""

from toolbox.registry import ToolError, choice, integer

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
