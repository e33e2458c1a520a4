#define MICROPY_HW_BOARD_NAME "Voxcard on ESP32"
#define MICROPY_HW_MCU_NAME "ESP32"

#include "../common/voxcard.h"
