set(IDF_TARGET esp32s3)

set(SDKCONFIG_DEFAULTS
    boards/sdkconfig.base
)

include(${CMAKE_CURRENT_LIST_DIR}/../common/voxcard.cmake)
