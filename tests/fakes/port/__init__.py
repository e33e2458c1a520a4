"""The ESP32 port of MicroPython as far as the HAL sees it, with the port's rules.

Import this first: it puts the port's clock (`clock`) and modules (`modules/`: machine, network,
esp32, neopixel, ntptime) in the place of this computer's. What is read in the port's source is
said at each rule; nothing here was compared with a chip.
"""

import sys

from fakes.port import clock

clock.install()
sys.path.insert(0, __file__[: __file__.rindex("/")] + "/modules")
