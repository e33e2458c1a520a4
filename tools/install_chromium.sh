#!/bin/sh
# Install Debian's chromium when it is missing; the tests in a browser need it.
set -eu
if command -v chromium >/dev/null; then
    exit 0
fi
if [ "$(id -u)" != 0 ]; then
    echo "chromium is missing. Run: sudo apt-get install chromium" >&2
    exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends \
    chromium fonts-dejavu-core >/dev/null
