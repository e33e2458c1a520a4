set(IDF_TARGET esp32c3)

set(SDKCONFIG_DEFAULTS
    boards/sdkconfig.base
)

include(${CMAKE_CURRENT_LIST_DIR}/../common/voxcard.cmake)
