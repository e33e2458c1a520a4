"""The tools of the device as a whole: its state, what it is, its restart."""

import gc
import sys

from toolbox.sound import mode_of


def install(registry, board, settings, about, restart, uptime_s, screen=None) -> None:
    """Declare them; `about` is {id, name, firmware}; `restart()` restarts the device soon.

    `uptime_s()` is how long it has run, `screen` the voxwire Screen, None without one.
    """

    @registry.tool(
        "self.get_device_status",
        "The device's state now: volume, microphone, screen, battery, network. Use it to answer"
        " questions about the device, and before a relative change of volume or brightness.",
    )
    def get_device_status():
        return _status(board, settings, screen)

    @registry.tool("self.get_system_info", "What the device is and runs.", scope="user")
    def get_system_info():
        gc.collect()
        info = {
            "board": board.id,
            "micropython": ".".join(str(part) for part in sys.implementation[1][:3]),
            "free_bytes": gc.mem_free(),
            "used_bytes": gc.mem_alloc(),
            "uptime_s": uptime_s(),
        }
        if board.memory is not None:
            info.update(board.memory())
        info.update(about)
        return info

    @registry.tool("self.reboot", "Restart the device.", scope="admin", ask="Restart this device?")
    def reboot():
        restart()
        return "The device restarts."


def _status(board, settings, screen) -> dict:
    status = {
        "audio_speaker": {"volume": settings.get("volume")},
        "microphone": {"mode": mode_of(settings)},
    }
    if board.display is not None:
        status["screen"] = {"theme": settings.get("theme")}
        if board.display.brightness is not None:
            status["screen"]["brightness"] = settings.get("brightness")
        if screen is not None and screen.faces:
            status["screen"]["text_size"] = settings.get("text_size")
    level = None if board.battery is None else board.battery.percent()
    if level is not None:
        status["battery"] = {"level": level}
        charging = board.battery.charging()
        if charging is not None:
            status["battery"]["charging"] = charging
    if board.network is not None:
        status["network"] = board.network.status()
    return status
