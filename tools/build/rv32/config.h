// MicroPython's qemu port with what the firmware needs of a board beside its processor.
#include "ports/qemu/mpconfigport.h"

// asyncio waits by the clock and on streams: clock/ has both.
#undef MICROPY_PY_ASYNCIO
#define MICROPY_PY_ASYNCIO (1)
#undef MICROPY_PY_SELECT
#define MICROPY_PY_SELECT (1)
#undef MICROPY_PY_TIME
#define MICROPY_PY_TIME (1)
// mpremote reads the computer's files through it.
#undef MICROPY_PY_SYS_STDIO_BUFFER
#define MICROPY_PY_SYS_STDIO_BUFFER (1)

#define MICROPY_PY_OS_URANDOM (1)
#define MICROPY_PY_OS_INCLUDEFILE "random.c"
