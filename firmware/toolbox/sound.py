"""The tool of the speaker."""

from toolbox.registry import integer


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
