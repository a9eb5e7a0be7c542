#!/usr/bin/env bash
# Plays a WAV file through PulseAudio's RAOP sink to a receiver, then ends.
#
# Usage: pulseaudio_raop.sh HOST:PORT FILE
set -euo pipefail
receiver=$1 file=$2

folder=$(mktemp -d)
export HOME=$folder XDG_RUNTIME_DIR=$folder PULSE_SERVER=unix:$folder/native
exec 2>&1
pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disable-shm=yes --log-target=stderr \
    -L "module-native-protocol-unix auth-anonymous=1 socket=$folder/native" \
    -L "module-raop-sink server=$receiver protocol=UDP encryption=none codec=ALAC channels=2 rate=44100 format=s16le" &
daemon=$!
end() {
    kill "$daemon" 2>/dev/null || true
    wait "$daemon" 2>/dev/null || true
    rm -rf "$folder"
}
trap end EXIT
trap 'exit 0' TERM

while ! sink=$(pactl list short sinks 2>/dev/null | cut -f 2 | grep -m 1 raop); do
    kill -0 "$daemon"
    sleep 0.1
done
echo "playing on $sink"
paplay --device="$sink" --volume=65536 "$file"
echo done
