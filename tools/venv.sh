#!/bin/sh
# Makes .venv with a Python of 3.11 or newer and installs one lock into it:  tools/venv.sh requirements/runtime.lock
# PYTHON chooses the interpreter. The packages come with hashes; the project itself is installed editable.
set -eu
cd "$(dirname "$0")/.."

lock=$1

fits() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }

say() { printf '%s\n' "$*" >&2; }

if ! { [ -x .venv/bin/python ] && fits .venv/bin/python; }; then
    found=
    for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
        if fits "$candidate"; then
            found=$candidate
            break
        fi
    done
    if [ -z "$found" ]; then
        say "Mahjong Parlour needs Python 3.11 or newer; tried: ${PYTHON:-python3, python3.11 to python3.14}."
        say "Install one (Debian, Ubuntu: apt-get install python3 python3-venv; macOS: brew install python)"
        say "or name it: make PYTHON=/path/to/python3.12 ..."
        exit 1
    fi
    if ! "$found" -m venv --clear .venv; then
        rm -rf .venv
        say "$found cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv"
        exit 1
    fi
fi

export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
.venv/bin/python -m pip install --quiet --require-hashes --only-binary :all: -r "$lock"
.venv/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
