#!/bin/sh
# Runs npm in web-client/ with a Node of major 20 or newer:  tools/npm.sh run build
# Where the machine has none, Node comes from a PyPI wheel into .venv (locked in requirements/node.lock).
set -eu
cd "$(dirname "$0")/.."

least=20

fits() {
    command -v "$1" >/dev/null 2>&1 &&
        "$1" -e "process.exit(Number(process.versions.node.split('.')[0]) < $least ? 1 : 0)" >/dev/null 2>&1
}

if ! { fits node && command -v npm >/dev/null 2>&1; }; then
    # The wheel's node and npm come first on PATH, so that npm's own scripts find the same node.
    PATH=$PWD/.venv/bin:$PATH
    export PATH
    if ! { fits .venv/bin/node && [ -x .venv/bin/npm ]; }; then
        echo "No Node $least or newer on PATH; installing one from PyPI into .venv" >&2
        if ! PIP_DISABLE_PIP_VERSION_CHECK=1 .venv/bin/python -m pip install --quiet \
            --require-hashes --only-binary :all: -r requirements/node.lock; then
            echo "PyPI has no Node for this machine. Install Node $least or newer yourself" \
                "(https://nodejs.org, apt-get install nodejs npm, brew install node) and run make again." >&2
            exit 1
        fi
    fi
fi

cd web-client
exec npm "$@"
