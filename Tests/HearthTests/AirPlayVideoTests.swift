import Foundation
import PeerProcess
import Testing

/// `hearth airplay receive --player`, with hearth and pyatv as senders.
@Suite(.serialized) struct AirPlayVideoTests {
    private struct Line: Decodable, Sendable {
        var event: String?
        var port: Int?
        var state: String?
        var error: String?
    }

    /// Runs a closure with a receiver whose player is a script that writes its arguments to a file.
    private func withReceiver(
        _ body: (_ receiver: PeerProcess, _ name: String, _ port: Int, _ arguments: URL) async throws -> Void
    ) async throws {
        try await Fixture.with { fixture in
            let (script, arguments) = (
                fixture.folder.appending(path: "player"), fixture.folder.appending(path: "arguments")
            )
            try "#!/bin/sh\nprintf '%s\\n' \"$@\" >\(arguments.path)\nexec sleep 300\n"
                .write(to: script, atomically: true, encoding: .utf8)
            let probe = fixture.folder.appending(path: "probe")
            try "#!/bin/sh\necho 60\n".write(to: probe, atomically: true, encoding: .utf8)
            for program in [script, probe] {
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            }
            let name = "TV \(UUID().uuidString.prefix(8))"
            let receiver = try PeerProcess(
                Programs.hearth,
                ["airplay", "receive", "--name", name, "--bind", "127.0.0.1"]
                    + ["--player", "\(script.path) -from {position}", "--probe", probe.path, "--json"]
            )
            let ready = try await receiver.json(Line.self, "the receiver") { $0.event == "videoReady" }
            try await body(receiver, name, try #require(ready.port), arguments)
            #expect(await receiver.terminate() == 0)
        }
    }

    private static func state(_ receiver: PeerProcess, _ state: String) async throws {
        _ = try await receiver.json(Line.self, "the state \(state)") { $0.event == "videoState" && $0.state == state }
    }

    @Test func aReceiverOfFilmsIsListedAsOne() async throws {
        try await withReceiver { _, name, _, _ in
            try await Wait.until("it is listed") {
                let list = try PeerProcess(
                    Programs.hearth,
                    ["airplay", "list", "--time", "1", "--mdns-interface", "127.0.0.1"]
                )
                guard await list.exit() == 0 else { return false }
                return list.transcript.split(separator: "\n").contains {
                    $0.contains(name) && $0.hasSuffix("video only")
                }
            }
        }
    }

    @Test func thePlayerGetsTheAddressAndIsStopped() async throws {
        try await withReceiver { receiver, name, _, arguments in
            let player = try PeerProcess(
                Programs.hearth,
                ["airplay", "play", Self.safeAddress, "--to", name, "--mdns-interface", "127.0.0.1", "--json"]
            )
            _ = try await player.json(Line.self, "playing") { $0.event == "playing" }
            try await Self.state(receiver, "playing")
            try await Wait.until("the player has its arguments") {
                (try? String(contentsOf: arguments, encoding: .utf8)) == "-from\n0.0\n\(Self.safeAddress)\n"
            }
            #expect(await player.terminate() == 0, "\(player.transcript)")
            try await Self.state(receiver, "stopped")
        }
    }

    @Test func linesOfTheSenderControlTheFilm() async throws {
        try await withReceiver { receiver, _, port, arguments in
            let player = try PeerProcess(
                Programs.hearth,
                [
                    "airplay", "play", "http://127.0.0.1:9/a", "--host", "127.0.0.1", "--port", "\(port)", "--json",
                ]
            )
            _ = try await player.json(Line.self, "playing") { $0.event == "playing" }
            try await Self.state(receiver, "playing")
            try player.send("pause")
            try await Self.state(receiver, "paused")
            for line in ["rewind", "seek", "seek -1", "seek nan"] {
                try player.send(line)
                try await Wait.until("it is refused") { player.transcript.contains("“\(line)” isn't a command") }
            }
            try player.send("seek 20.5")
            try await Wait.until("the player is started at the position") {
                (try? String(contentsOf: arguments, encoding: .utf8)) == "-from\n20.5\nhttp://127.0.0.1:9/a\n"
            }
            try player.send("pause")
            try player.send("play")
            try player.send("stop")
            #expect(await player.exit() == 0, "\(player.transcript)")
            try await Self.state(receiver, "stopped")
        }
    }

    @Test func theDesktopShowsTheFilmAndItsKeysControlIt() async throws {
        try await withReceiver { receiver, _, port, arguments in
            let folder = arguments.deletingLastPathComponent().path
            let bus = try PeerProcess(
                URL(filePath: "/usr/bin/dbus-daemon"),
                ["--session", "--nofork", "--print-address", "--address=unix:path=\(folder)/bus"]
            )
            let address = try await bus.line("the bus") { $0.hasPrefix("unix:") }
            let player = try PeerProcess(
                Programs.hearth,
                [
                    "airplay", "play", "http://127.0.0.1:9/a", "--host", "127.0.0.1", "--port", "\(port)", "--json",
                    "--title", "Der Film", "--artist", "Ann",
                ],
                environment: ["DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": folder]
            )
            try await Self.state(receiver, "playing")
            func call(_ words: String) async throws -> String {
                let name = "org.mpris.MediaPlayer2.hearth.instance\(player.processIdentifier)"
                return try await ShellScript.run(
                    "export DBUS_SESSION_BUS_ADDRESS='\(address)'; dbus-send --session --print-reply --dest=\(name) "
                        + "/org/mpris/MediaPlayer2 \(words) || true"
                )
            }
            let interface = "org.mpris.MediaPlayer2.Player"
            func shows(_ status: String) async throws -> Bool {
                let properties = try await call("org.freedesktop.DBus.Properties.GetAll string:\(interface)")
                return properties.contains("\"\(status)\"") && properties.contains("\"Der Film\"")
                    && properties.contains("\"Ann\"") && properties.contains("int64 60000000")
            }
            try await Wait.until("the desktop shows the film") { try await shows("Playing") }
            _ = try await call("\(interface).PlayPause")
            try await Self.state(receiver, "paused")
            try await Wait.until("the desktop shows the pause") { try await shows("Paused") }
            _ = try await call("\(interface).PlayPause")
            try await Self.state(receiver, "playing")
            _ = try await call("\(interface).Stop")
            #expect(await player.exit() == 0, "\(player.transcript)")
            await bus.terminate()
        }
    }

    /// An address that a shell would take for commands.
    private static let safeAddress = "http://127.0.0.1:9/film.m3u8?a=1&b=$(id);c=*"

    @Test func senderControlsThePlayer() async throws {
        try await withReceiver { receiver, _, port, arguments in
            func curl(_ words: String) async throws -> String {
                try await ShellScript.run("curl --silent --max-time 30 \(words)")
            }
            let base = "http://127.0.0.1:\(port)"
            let code = "--output /dev/null --write-out '%{http_code}'"
            let refused = try await curl("\(code) --data-binary 'Content-Location: file:///etc/passwd' \(base)/play")
            #expect(refused == "400")
            _ = try await curl("--data-binary 'Content-Location: http://127.0.0.1:9/a' \(base)/play")
            try await Self.state(receiver, "playing")
            try await Wait.until("the length is known") {
                try await curl("\(base)/playback-info").contains("<real>60</real>")
            }
            _ = try await curl("--request POST '\(base)/rate?value=0'")
            try await Self.state(receiver, "paused")
            _ = try await curl("--request POST '\(base)/scrub?position=20.5'")
            try await Wait.until("the player is started at the position") {
                (try? String(contentsOf: arguments, encoding: .utf8)) == "-from\n20.5\nhttp://127.0.0.1:9/a\n"
            }
            // Another host doesn't interrupt it.
            let other = try await curl("--interface 127.0.0.2 \(code) --request POST \(base)/stop")
            #expect(other == "503")
            _ = try await curl("--request POST \(base)/stop")
            try await Self.state(receiver, "stopped")
        }
    }

    @Test func ffplayPlaysAPlaylistToItsEnd() async throws {
        try await Fixture.with { fixture in
            // Ten seconds in two resolutions, with subtitles.
            try "WEBVTT\n\n00:00.000 --> 00:09.000\nHello\n"
                .write(to: fixture.folder.appending(path: "words.vtt"), atomically: true, encoding: .utf8)
            let errors = try await ShellScript.run(
                """
                cd '\(fixture.folder.path)'
                ffmpeg -nostdin -v error -f lavfi -i testsrc=size=128x72:rate=5:duration=10 -f lavfi -i sine=duration=10 \
                    -i words.vtt -map 0:v -map 1:a -map 0:v -map 1:a -map 2:s -s:v:1 64x36 -c:v libx264 \
                    -preset ultrafast -g 5 -c:a aac -c:s webvtt -f hls -hls_time 1 -hls_playlist_type vod \
                    -var_stream_map 'v:0,a:0,s:0,sgroup:subs v:1,a:1' -master_pl_name film.m3u8 \
                    -hls_segment_filename 'v%v-%d.ts' 'v%v.m3u8'
                """
            )
            #expect(errors == "")
            let server = try PeerProcess(
                URL(filePath: "/usr/bin/env"),
                ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", fixture.folder.path]
            )
            let line = try await server.line("the server") { $0.contains(" port ") }
            let serverPort = try #require(line.firstMatch(of: /port ([0-9]+)/)?.1)
            let address = "http://127.0.0.1:\(serverPort)/film.m3u8"
            let receiver = try PeerProcess(
                Programs.hearth,
                ["airplay", "receive", "--name", "TV", "--bind", "127.0.0.1", "--json"]
                    + ["--player", "ffplay -v error -autoexit -ss {position}"]
                    + ["--probe", "ffprobe -v error -show_entries format=duration -of csv=p=0"],
                environment: ["SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"]
            )
            let ready = try await receiver.json(Line.self, "the receiver") { $0.event == "videoReady" }
            let port = try #require(ready.port)
            let player = try PeerProcess(
                Programs.hearth,
                ["airplay", "play", address, "--host", "127.0.0.1", "--port", "\(port)", "--json"]
            )
            _ = try await player.json(Line.self, "playing") { $0.event == "playing" }
            try await Wait.until("the length is known") {
                try await ShellScript.run("curl --silent --max-time 30 http://127.0.0.1:\(port)/playback-info")
                    .contains("<real>10</real>")
            }
            try player.send("seek 8")
            #expect(await player.exit() == 0, "\(player.transcript)")
            #expect(!player.transcript.contains("can't"), "\(player.transcript)")
            try await Self.state(receiver, "stopped")
            #expect(await receiver.terminate() == 0)
            await server.terminate()
            // The player chooses among the resolutions.
            for part in ["film.m3u8", "v0.m3u8", "v1.m3u8", "v0-9.ts"] {
                #expect(server.transcript.contains("GET /\(part) "), "\(part)")
            }
        }
    }

    @Test func pyatvPlaysAnAddress() async throws {
        try await withReceiver { receiver, _, port, _ in
            let peer = try PeerPython.start(
                "pyatv_play_url.py",
                ["127.0.0.1", "\(port)", "http://127.0.0.1:9/film.mp4"]
            )
            try await Self.state(receiver, "playing")
            _ = try await ShellScript.run("curl --silent --request POST http://127.0.0.1:\(port)/stop")
            let outcome = try await peer.line("the outcome") { $0 == "done" || $0.hasPrefix("failed") }
            #expect(outcome == "done", "\(peer.transcript)")
            await peer.terminate()
        }
    }

    @Test func aMissingPlayerIsNamed() async throws {
        let program = try PeerProcess(
            Programs.hearth,
            ["airplay", "receive", "--name", "TV", "--bind", "127.0.0.1", "--player", "hearth-missing", "--json"]
        )
        #expect(await program.exit() == 1)
        #expect(program.transcript.contains("\"programMissing\""), "\(program.transcript)")
    }
}
