#!/bin/sh
# Unpack Debian's recordings of people and the voices of flite into out/recordings, where the bench
# looks for them; needs no rights and installs nothing.
set -eu
cd "$(dirname "$0")/.."
target=out/recordings
packages="asterisk-core-sounds-en-g722 pocketsphinx-testdata flite libflite1"
all=yes
for part in share/asterisk share/pocketsphinx bin/flite; do
    [ -e "$target/usr/$part" ] || all=no
done
[ "$all" = no ] || exit 0
if ! command -v apt-get >/dev/null; then
    echo "The recordings and talkers are Debian packages ($packages), and apt-get is not here." >&2
    exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get download -qq $packages >/dev/null)
mkdir -p "$target"
for package in "$folder"/*.deb; do
    dpkg -x "$package" "$target"
done
