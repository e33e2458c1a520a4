# The firmware, frozen: modules/ is beside this file when an image is built (tools/build/image.py),
# and when it is frozen into an interpreter of this computer. At level 2 tracebacks have their
# lines: frozen, those lie in flash.
include("$(MPY_DIR)/extmod/asyncio")
freeze("modules", opt=2)
