# What is frozen into an image: what the port needs to start, and the firmware with its main.py,
# boot.py and fonts. Board and settings are files.
freeze("$(PORT_DIR)/modules")
include("firmware.py")
