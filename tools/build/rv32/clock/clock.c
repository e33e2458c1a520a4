// The clock and the state of the serial line of QEMU's machine "virt", which the port leaves out.
#include "py/mphal.h"
#include "py/runtime.h"
#include "py/stream.h"

#define MTIME ((volatile uint32_t *)0x0200bff8) // two words, 10 MHz
#define LINE_STATUS ((volatile uint8_t *)0x10000005)
#define LINE_HAS_BYTE (1)

static uint64_t now(void) {
    uint32_t high, low;
    do {
        high = MTIME[1];
        low = MTIME[0];
    } while (high != MTIME[1]);
    return (uint64_t)high << 32 | low;
}

mp_uint_t mp_hal_ticks_cpu(void) {
    return now();
}

mp_uint_t mp_hal_ticks_us(void) {
    return now() / 10;
}

mp_uint_t mp_hal_ticks_ms(void) {
    return now() / 10000;
}

uint64_t mp_hal_time_ns(void) { // since the start; only file systems ask
    return now() * 100;
}

void mp_hal_delay_us(mp_uint_t us) {
    mp_uint_t start = mp_hal_ticks_us();
    while (mp_hal_ticks_us() - start < us) {
    }
}

void mp_hal_delay_ms(mp_uint_t ms) {
    mp_uint_t start = mp_hal_ticks_ms();
    while (mp_hal_ticks_ms() - start < ms) {
        mp_handle_pending(true);
    }
}

// In the place of the port's, which says that nothing is ever ready (micropython.mk).
uintptr_t __wrap_mp_hal_stdio_poll(uintptr_t flags) {
    uintptr_t ready = flags & MP_STREAM_POLL_WR;
    if (*LINE_STATUS & LINE_HAS_BYTE) {
        ready |= flags & MP_STREAM_POLL_RD;
    }
    return ready;
}
