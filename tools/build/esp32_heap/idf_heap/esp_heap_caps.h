// The part of ESP-IDF's heap that the growth of Python's heap touches, on this computer.
// VOXCARD_IDF_BLOCKS names its free blocks, largest first: "90112,15072,8000".
// To the file VOXCARD_IDF_LOG goes a line for each area that Python's heap takes: its size, what
// is left, and the largest block of that.

#ifndef VOXCARD_ESP_HEAP_CAPS_H
#define VOXCARD_ESP_HEAP_CAPS_H

#include <stddef.h>

#define MALLOC_CAP_DEFAULT (1 << 12)

size_t heap_caps_get_free_size(unsigned caps);
size_t heap_caps_get_largest_free_block(unsigned caps);
void *heap_caps_malloc(size_t size, unsigned caps);
void heap_caps_free(void *pointer);

#define MP_PLAT_ALLOC_HEAP(size) heap_caps_malloc((size), MALLOC_CAP_DEFAULT)
#define MP_PLAT_FREE_HEAP(pointer) heap_caps_free(pointer)

#endif
