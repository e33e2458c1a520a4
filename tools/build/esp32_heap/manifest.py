# The firmware as images have it, and the port's modules for measuring boards (port/).
include("firmware.py")
freeze("port", opt=2)
