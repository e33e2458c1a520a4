"""How loud a device speaks and chimes, and how bright it is: by its settings, and by night."""

NIGHT_VOLUME = 40  # percent of the volume of speech
NIGHT_BRIGHTNESS = 10  # percent at the most


def _is_night(settings) -> bool:
    return bool(settings.get("night") == "on")


def volume(settings) -> int:
    """Percent for speech; what is to be heard is not silent by night."""
    percent = settings.get("volume")
    if _is_night(settings) and percent:
        return max(1, percent * NIGHT_VOLUME // 100)
    return int(percent)


def brightness(settings) -> int:
    """Percent for the screen."""
    percent = settings.get("brightness")
    return min(percent, NIGHT_BRIGHTNESS) if _is_night(settings) else int(percent)


def chimes(settings) -> int:
    """Percent of the speech; 0: none."""
    return 0 if _is_night(settings) else int(settings.get("chime_volume"))


def apply(settings, set_volume, dim, say_chimes) -> None:
    """Let each take its percent; `dim` is None where nothing can be dimmed."""
    set_volume(volume(settings))
    if dim is not None:
        dim(brightness(settings))
    say_chimes(chimes(settings))
