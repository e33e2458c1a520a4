// What Python's heap leaves to the network, for boards without PSRAM.
//
// The port's heap starts small and grows out of the memory that Wi-Fi and sockets need too; its
// last growth takes the largest block that is left (py/gc.c, gc_try_add_heap; no limit up to
// v1.29). A device then has a heap and no connection. Here a growth ends where the reserve
// begins: Python gets a MemoryError, which the firmware lives with.
//
// 32 KB: with a reserve of that size a board of another project kept its sockets on hardware;
// without one they ended in ENOBUFS.

#include "esp_heap_caps.h"

#define VOXCARD_NETWORK_RESERVE (32 * 1024)

// The largest block, as far as the heap may have it.
static inline size_t voxcard_largest_new_area(unsigned caps) {
    size_t largest = heap_caps_get_largest_free_block(caps);
    size_t whole = heap_caps_get_free_size(caps);
    size_t spare = whole > VOXCARD_NETWORK_RESERVE ? whole - VOXCARD_NETWORK_RESERVE : 0;
    return largest < spare ? largest : spare;
}

// ports/esp32/gccollect.c asks for it by this name, and nothing else in the port does.
#define heap_caps_get_largest_free_block(caps) voxcard_largest_new_area(caps)
