# What all our images have in common; included at the end of a board's mpconfigboard.cmake.
# No boards/sdkconfig.ble, which MicroPython's own boards begin with.

set(MICROPY_PY_BTREE OFF)

# A partition table is named by its whole path, which only this build knows.
file(WRITE ${CMAKE_BINARY_DIR}/sdkconfig.partitions
    "CONFIG_PARTITION_TABLE_CUSTOM=y\n"
    "CONFIG_PARTITION_TABLE_CUSTOM_FILENAME=\"${MICROPY_BOARD_DIR}/partitions.csv\"\n")

list(APPEND SDKCONFIG_DEFAULTS
    ${CMAKE_CURRENT_LIST_DIR}/sdkconfig.voxcard
    ${MICROPY_BOARD_DIR}/sdkconfig.board
    ${CMAKE_BINARY_DIR}/sdkconfig.partitions
)
