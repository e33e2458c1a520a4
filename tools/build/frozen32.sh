#!/bin/sh
# Build FOLDER/micropython: a 32-bit MicroPython (unix port, single floats, as the boards have them)
# with the modules of MANIFEST frozen in, from Debian's source package. A minute at first, then the
# sources and what was compiled of them are kept in FOLDER and only the firmware is frozen anew.
#   frozen32.sh FOLDER MANIFEST           beside MANIFEST is modules/: without main.py, boot.py, fonts
#   frozen32.sh FOLDER MANIFEST RESERVE   RESERVE is NAME.h, the result FOLDER/micropython-NAME: its
#                                         heap grows as on an ESP32, by the rule of that header
set -eu
folder=${1:?usage: frozen32.sh FOLDER MANIFEST [RESERVE]}
manifest=${2:?usage: frozen32.sh FOLDER MANIFEST [RESERVE]}
reserve=${3-}
packages="gcc-multilib libc6-dev-i386 make python3"

cannot() {
    echo "No MicroPython with the firmware frozen in: $1." >&2
    exit 1
}
case $(uname -sm) in
"Linux x86_64") ;;
*) cannot "it is built on Linux on x86-64, this is $(uname -sm)" ;;
esac
command -v apt-get >/dev/null || cannot "apt-get is missing; use a Debian system"
manifest=$(realpath "$manifest")
tools=$(realpath "$(dirname "$0")")
mkdir -p "$folder/lib"
folder=$(cd "$folder" && pwd)

compiles() {
    echo 'int main(void) { return 0; }' >"$folder/try.c"
    for tool in gcc make python3; do
        command -v $tool >/dev/null || return 1
    done
    gcc -m32 "$folder/try.c" -o "$folder/try" 2>/dev/null && "$folder/try"
}
if ! compiles; then
    [ "$(id -u)" = 0 ] || cannot "a compiler for 32 bit is missing; run: sudo apt-get install $packages"
    # shellcheck disable=SC2086
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        -o DPkg::Lock::Timeout=300 $packages; } \
        >"$folder/log" 2>&1 || cannot "$packages cannot be installed ($(tail -n 1 "$folder/log"))"
fi

port=$folder/micropython-source/ports/unix
[ -d "$port" ] || echo "Getting MicroPython's sources from Debian (once)..."
python3 "$tools/micropython_source.py" "$folder/micropython-source" 2>"$folder/log" ||
    cannot "$(tail -n 1 "$folder/log")"
touch "$folder/lib/README.md" # the package lacks micropython-lib; only its presence is checked
build() {
    make -j2 "$@" >"$folder/log" 2>&1 || cannot "it does not compile; see $folder/log"
}
build -C "$folder/micropython-source/mpy-cross"
flags=-DMICROPY_FLOAT_IMPL=MICROPY_FLOAT_IMPL_FLOAT
name=micropython
if [ -n "$reserve" ]; then
    heap=$tools/esp32_heap
    name=micropython-$(basename "$reserve" .h)
    flags="$flags -DMICROPY_GC_SPLIT_HEAP=1 -DMICROPY_GC_SPLIT_HEAP_AUTO=1 -Wno-pointer-arith"
    flags="$flags -I$heap/idf_heap -include esp_heap_caps.h -include $reserve"
fi
build -C "$port" VARIANT=standard BUILD="build-$name" MICROPY_FORCE_32BIT=1 MICROPY_PY_FFI=0 \
    MICROPY_PY_BTREE=0 MICROPY_PY_SSL=0 MICROPY_SSL_MBEDTLS=0 MICROPY_SSL_AXTLS=0 \
    MPY_LIB_DIR="$folder/lib" MPY_CROSS_FLAGS=-march=x86 FROZEN_MANIFEST="$manifest" \
    CFLAGS_EXTRA="$flags" ${heap:+USER_C_MODULES="$heap"}
cp "$port/build-$name/micropython" "$folder/new"
mv "$folder/new" "$folder/$name"
