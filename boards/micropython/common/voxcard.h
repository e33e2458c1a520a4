// What all our images leave out of MicroPython, and how their heap grows.

#define MICROPY_PY_BLUETOOTH (0)
#define MICROPY_PY_NETWORK_LAN (0)
#define MICROPY_PY_ESPNOW (0)

#include "network_reserve.h"
