"""ST7789 (Sitronix): everything it needs is in the commands all panels share."""

from hal.drivers.rgb_panel import RgbPanel as Panel  # noqa: F401
