#define MICROPY_HW_BOARD_NAME "Voxcard on ESP32-C3"
#define MICROPY_HW_MCU_NAME "ESP32-C3"

// For modules with a USB bridge of their own.
#define MICROPY_HW_ENABLE_UART_REPL (1)

#include "../common/voxcard.h"
