#!/usr/bin/env bash
# Runs shairport-sync on a host of a test on which Avahi runs already. It writes the samples that it plays to a file.
# Ends when standard input does.
#
# Usage: shairport_sync.sh NAME FILE [PASSWORD]
set -euo pipefail
name=$1 file=$2 password=${3:+password = \"$3\";}

cat >/run/shairport-sync.conf <<CONF
general = {
    name = "$name";
    port = 5000;
    // The samples as they came: neither stretched nor made quieter.
    interpolation = "basic";
    ignore_volume_control = "yes";
    $password
};
CONF

exec 3<&0 </dev/null
shairport-sync -c /run/shairport-sync.conf -o stdout 2>&1 >"$file" 3<&- &
receiver=$!
end() {
    kill "$receiver" 2>/dev/null || true
    wait "$receiver" 2>/dev/null || true
}
trap end EXIT
trap 'exit 0' TERM
cat <&3 >/dev/null &
wait -n "$!" "$receiver"
