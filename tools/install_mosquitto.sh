#!/bin/sh
# Install Debian's mosquitto when it is missing, without starting its service.
set -eu
if command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ]; then
    exit 0
fi
if [ "$(id -u)" != 0 ]; then
    echo "mosquitto is missing. Run: sudo apt-get install mosquitto" >&2
    exit 1
fi
# A policy of 101 keeps the package from starting a broker of its own on port 1883.
policy=/usr/sbin/policy-rc.d
made=no
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    made=yes
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=300 mosquitto >/dev/null
[ "$made" = no ] || rm -f "$policy"
