#!/bin/sh
# Writes requirements/*.lock from pyproject.toml, for every platform at once, with hashes. uv lives only for this.
set -eu
cd "$(dirname "$0")/.."

uv=$(mktemp -d)
trap 'rm -rf "$uv"' EXIT
.venv/bin/python -m venv "$uv"
"$uv/bin/python" -m pip install --quiet --disable-pip-version-check uv

compile() {
    lock=$1
    shift
    "$uv/bin/uv" pip compile --quiet --universal --python-version 3.11 --generate-hashes \
        --custom-compile-command "make lock" ${UPGRADE:+--upgrade} --output-file "requirements/$lock" "$@"
}

compile runtime.lock --group build pyproject.toml
compile dev.lock --group build --group dev --constraint requirements/runtime.lock pyproject.toml
compile postgres.lock --group build --extra postgres --constraint requirements/runtime.lock pyproject.toml
compile node.lock --group node
