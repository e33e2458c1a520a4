# What is frozen into an image: what the port needs to start, and the firmware. Its settings, fonts
# and main.py are files.
freeze("$(PORT_DIR)/modules")
include("firmware.py")
