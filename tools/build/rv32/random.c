// os.urandom: numbers that differ from call to call, and are no secret. The os module includes it.
#include "py/mphal.h"

static mp_obj_t mp_os_urandom(mp_obj_t size_in) {
    static uint32_t state = 1;
    vstr_t bytes;
    vstr_init_len(&bytes, mp_obj_get_int(size_in));
    state ^= mp_hal_ticks_cpu();
    for (size_t i = 0; i < bytes.len; i++) {
        state = state * 1664525 + 1013904223;
        bytes.buf[i] = state >> 24;
    }
    return mp_obj_new_bytes_from_vstr(&bytes);
}
static MP_DEFINE_CONST_FUN_OBJ_1(mp_os_urandom_obj, mp_os_urandom);
