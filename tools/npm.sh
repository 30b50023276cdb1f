#!/bin/sh
# Runs npm in web-client/ with a Node that Vite can use (20.19, 22.12 or newer):  tools/npm.sh run build
# Where the machine has none, Node comes from a PyPI wheel into .venv (locked in requirements/node.lock).
set -eu
cd "$(dirname "$0")/.."

needed="Node 20.19, 22.12 or newer"

fits() {
    command -v "$1" >/dev/null 2>&1 && "$1" -e '
        const [major, minor] = process.versions.node.split(".").map(Number);
        const fits = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
        process.exit(fits ? 0 : 1);
    ' >/dev/null 2>&1
}

if ! { fits node && command -v npm >/dev/null 2>&1; }; then
    # The wheel's node and npm come first on PATH, so that npm's own scripts find the same node.
    PATH=$PWD/.venv/bin:$PATH
    export PATH
    if ! { fits .venv/bin/node && [ -x .venv/bin/npm ]; }; then
        echo "There is no $needed on PATH; installing one from PyPI into .venv" >&2
        if ! PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install --quiet \
            --require-hashes --only-binary :all: -r requirements/node.lock; then
            echo "The client's build needs $needed and PyPI gave none for this machine. Install it" \
                "(https://nodejs.org; macOS: brew install node) and run make again." >&2
            exit 1
        fi
    fi
fi

cd web-client
exec npm "$@"
