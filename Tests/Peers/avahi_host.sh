#!/usr/bin/env bash
# Runs Avahi's daemon with a system bus of its own, on a host of a test that has its own /run. What the daemon says
# goes to standard output; “Server startup complete” is its readiness. Ends when standard input does.
#
# Usage: avahi_host.sh [SECTION:KEY=VALUE]...    lines for avahi-daemon.conf, such as reflector:enable-reflector=yes
set -euo pipefail
exec 2>&1

mkdir -p /run/dbus
cat >/run/dbus/bus.conf <<'CONF'
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_type="method_return"/>
    <allow send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="signal"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
  </policy>
</busconfig>
CONF

# Link-local IPv6 addresses are told as well as IPv4 ones, on each interface.
{
    for section in server publish reflector; do
        echo "[$section]"
        case $section in
        server) printf 'use-ipv4=yes\nuse-ipv6=yes\n' ;;
        publish) printf 'publish-hinfo=no\npublish-workstation=no\n' ;;
        esac
        for line in "$@"; do
            [ "${line%%:*}" != "$section" ] || echo "${line#*:}"
        done
    done
} >/run/avahi-daemon.conf

exec 3<&0 </dev/null
# It goes into the background once it listens.
bus=$(dbus-daemon --config-file=/run/dbus/bus.conf --fork --nopidfile --print-pid 3<&-)
avahi-daemon --no-chroot --no-rlimits --file=/run/avahi-daemon.conf 3<&- &
daemon=$!

end() {
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" 2>/dev/null || true
    kill "$bus" 2>/dev/null || true
}
trap end EXIT
trap 'exit 0' TERM
cat <&3 >/dev/null &
wait -n "$!" "$daemon"
