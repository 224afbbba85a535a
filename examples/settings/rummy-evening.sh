#!/bin/sh
# Runs a command as the service's user with the service's settings: /usr/local/bin/rummy-evening.
# What the caller has set already counts more: VAR_DIR=/var/tmp/trial rummy-evening manage restore ...
set -eu
set_already=$(export -p)
set -a
. /etc/rummy.env
[ ! -r /etc/rummy-worker.env ] || . /etc/rummy-worker.env
eval "$set_already"
exec runuser -u rummy -- /opt/rummy-evening/bin/rummy-evening "$@"
