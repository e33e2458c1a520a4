#!/bin/sh
# Build FOLDER/micropython.elf: MicroPython's qemu port for a 32-bit RISC-V processor, as an
# ESP32-C3 has one, to be run by qemu-system-riscv32. Without what a chip has beside it: no pins, no
# network, no files. Half a minute; installs Debian's compiler and QEMU when they are missing.
#   rv32.sh FOLDER MPY_CROSS
set -eu
folder=${1:?usage: rv32.sh FOLDER MPY_CROSS}
mpy_cross=${2:?usage: rv32.sh FOLDER MPY_CROSS}
packages="gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf qemu-system-misc make python3"

cannot() {
    echo "No MicroPython for RISC-V: $1." >&2
    exit 1
}
tools=$(realpath "$(dirname "$0")")
mkdir -p "$folder/lib"
folder=$(cd "$folder" && pwd)

there() {
    for tool in riscv64-unknown-elf-gcc qemu-system-riscv32 make python3; do
        command -v $tool >/dev/null || return 1
    done
    [ -e "$(riscv64-unknown-elf-gcc --print-file-name=picolibc.specs)" ]
}
if ! there; then
    command -v apt-get >/dev/null ||
        cannot "riscv64-unknown-elf-gcc (with picolibc) or QEMU is missing; use a Debian system"
    [ "$(id -u)" = 0 ] ||
        cannot "a compiler for RISC-V or QEMU is missing; run: sudo apt-get install $packages"
    echo "Installing a compiler for RISC-V and QEMU (once)..."
    # shellcheck disable=SC2086
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
        --no-install-recommends -o DPkg::Lock::Timeout=300 $packages; } >"$folder/log" 2>&1 ||
        cannot "$packages cannot be installed ($(tail -n 1 "$folder/log"))"
fi

source=$folder/micropython-source
[ -d "$source" ] || echo "Getting MicroPython's sources from Debian (once)..."
python3 "$tools/micropython_source.py" "$source" 2>"$folder/log" ||
    cannot "$(tail -n 1 "$folder/log")"
touch "$folder/lib/README.md" # the package lacks micropython-lib; only its presence is checked
echo 'include("$(MPY_DIR)/extmod/asyncio")' >"$folder/manifest.py"
# picolibc 1.8 is there for rv32imac, and not for its name in the newer standard, which counts the
# instructions that read a processor's state (zicsr) apart: the older standard has them in both.
standard=-misa-spec=2.2
rm -rf "$source/ports/qemu/build-rv32"
make -j2 -C "$source/ports/qemu" BOARD=VIRT_RV32 BUILD=build-rv32 RV32_ARCH=rv32imac \
    AS="riscv64-unknown-elf-as $standard" MICROPY_HEAP_SIZE=1536000 MICROPY_VFS_LFS2=1 \
    MICROPY_PY_BTREE=0 MPY_LIB_DIR="$folder/lib" FROZEN_MANIFEST="$folder/manifest.py" \
    USER_C_MODULES="$tools/rv32" MICROPY_MPYCROSS="$mpy_cross" MICROPY_MPYCROSS_DEPENDENCY= \
    CFLAGS_EXTRA="$standard -I$tools/rv32 -DMP_CONFIGFILE=\\\"$tools/rv32/config.h\\\"" \
    >"$folder/log" 2>&1 ||
    cannot "it does not compile; see $folder/log"
cp "$source/ports/qemu/build-rv32/firmware.elf" "$folder/new"
mv "$folder/new" "$folder/micropython.elf"
