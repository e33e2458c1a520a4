// See esp_heap_caps.h. A block shrinks by what is taken from it.

#include <stdio.h>
#include <stdlib.h>

#include "esp_heap_caps.h"

#define BLOCKS_MAX 8
#define AREAS_MAX 8

static size_t blocks[BLOCKS_MAX];
static struct {
    void *pointer;
    size_t size, block;
} areas[AREAS_MAX];

static void read_blocks(void) {
    static int done;
    const char *text = getenv("VOXCARD_IDF_BLOCKS");
    if (done || text == NULL) {
        return;
    }
    done = 1;
    for (size_t i = 0; i < BLOCKS_MAX && *text; i++) {
        char *end;
        blocks[i] = strtoul(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
}

size_t heap_caps_get_free_size(unsigned caps) {
    size_t sum = 0;
    read_blocks();
    for (size_t i = 0; i < BLOCKS_MAX; i++) {
        sum += blocks[i];
    }
    return sum;
}

// In brackets: a reserve's header may put a macro over the name.
size_t (heap_caps_get_largest_free_block)(unsigned caps) {
    size_t largest = 0;
    read_blocks();
    for (size_t i = 0; i < BLOCKS_MAX; i++) {
        largest = blocks[i] > largest ? blocks[i] : largest;
    }
    return largest;
}

static void write_line(size_t size) {
    const char *path = getenv("VOXCARD_IDF_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    if (log != NULL) {
        fprintf(log, "%zu %zu %zu\n", size, heap_caps_get_free_size(MALLOC_CAP_DEFAULT),
            (heap_caps_get_largest_free_block)(MALLOC_CAP_DEFAULT));
        fclose(log);
    }
}

void *heap_caps_malloc(size_t size, unsigned caps) {
    read_blocks();
    for (size_t i = 0, free_area = 0; i < BLOCKS_MAX; i++) {
        while (free_area < AREAS_MAX && areas[free_area].pointer != NULL) {
            free_area++;
        }
        if (blocks[i] >= size && free_area < AREAS_MAX) {
            areas[free_area].pointer = malloc(size);
            areas[free_area].size = size;
            areas[free_area].block = i;
            blocks[i] -= size;
            write_line(size);
            return areas[free_area].pointer;
        }
    }
    return NULL;
}

void heap_caps_free(void *pointer) {
    for (size_t i = 0; i < AREAS_MAX; i++) {
        if (areas[i].pointer == pointer && pointer != NULL) {
            blocks[areas[i].block] += areas[i].size;
            areas[i].pointer = NULL;
        }
    }
    free(pointer);
}

// As ports/esp32/gccollect.c.
size_t gc_get_max_new_split(void) {
    return heap_caps_get_largest_free_block(MALLOC_CAP_DEFAULT);
}
