#!/bin/sh
# /usr/local/sbin/parlour, for root: `parlour` as the user of parlour.service and with its settings.
exec runuser -u parlour -- env HOME=/var/lib/mahjong-parlour XDG_DATA_HOME=/var/lib \
    PARLOUR_CONFIG=/etc/parlour/server.toml /opt/parlour/bin/parlour "$@"
