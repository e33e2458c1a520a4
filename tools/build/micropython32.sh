#!/bin/sh
# Put a true 32-bit MicroPython under FOLDER: Debian's i386 build and its libraries, unpacked beside
# the system. Does nothing when it is there.
#   micropython32.sh FOLDER    then run FOLDER/micropython
set -eu
folder=${1:?usage: micropython32.sh FOLDER}
suite=sid # trixie has 1.25, older than the firmware allows
# Pinned as the sources are, and why: micropython_source.py. A mirror has it until the suite moves on,
# the archive of snapshots ever after, with the libraries of that day.
version=1.26.1+ds-1
snapshot=https://snapshot.debian.org/archive/debian/20261030T120000Z
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

[ -x "$folder/micropython" ] && exit 0

cannot() {
    echo "No 32-bit MicroPython: $1. Or set MICROPYTHON32 to a 32-bit MicroPython 1.26 or newer." >&2
    exit 1
}
case $(uname -sm) in
"Linux x86_64") ;;
*) cannot "Debian's i386 build needs Linux on x86-64, this is $(uname -sm)" ;;
esac
for tool in apt-get dpkg; do
    command -v $tool >/dev/null || cannot "$tool is missing; use a Debian system"
done
[ -r "$keyring" ] || cannot "$keyring is missing; run: sudo apt-get install debian-archive-keyring"

mirror=$(sed -n 's/^URIs: *//p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\(http[^ ]*\).*/\2/p' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | head -n 1)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
apt=$folder/apt
rm -rf "$apt" "$folder/root"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$folder/root"
: >"$apt/status" # as if nothing were installed: every library comes along
get() {
    apt-get -qq -o APT::Architecture=i386 -o APT::Architectures::=i386 \
        -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=- \
        -o Dir::State::Lists="$apt/lists" -o Dir::State::Status="$apt/status" \
        -o Dir::Cache="$apt/cache" -o Acquire::Check-Valid-Until=false \
        -o APT::Sandbox::User=root "$@" >"$apt/log" 2>&1
}
get_from() {
    echo "deb [arch=i386 signed-by=$keyring] $1 $suite main" >"$apt/sources.list"
    get update &&
        get install --yes --download-only --no-install-recommends "micropython=$version"
}
echo "Getting a 32-bit MicroPython from Debian $suite (once)..."
get_from "${mirror:-http://deb.debian.org/debian}" || get_from "$snapshot" ||
    cannot "Debian's micropython $version cannot be had ($(tail -n 1 "$apt/log")); look at the network"
for package in "$apt"/cache/archives/*.deb; do
    dpkg -x "$package" "$folder/root"
done
rm -rf "$apt"

root=$folder/root
libraries=$root/usr/lib/i386-linux-gnu
cat >"$folder/new" <<END
#!/bin/sh
exec $libraries/ld-linux.so.2 --library-path $libraries $root/usr/bin/micropython "\$@"
END
chmod +x "$folder/new"
"$folder/new" -c 'import sys; assert sys.maxsize == 0x7FFFFFFF' ||
    cannot "what Debian gave does not run here; the kernel may lack 32-bit programs"
mv "$folder/new" "$folder/micropython"
