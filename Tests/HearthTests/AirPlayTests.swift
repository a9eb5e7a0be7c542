import Foundation
import PeerProcess
import Testing

/// `hearth airplay`, with its own receiver.
@Suite(.serialized) struct AirPlayTests {
    /// The JSON output that tests read.
    private struct Line: Decodable, Sendable {
        var event: String?
        var name: String?
        var error: String?
        var reason: String?
        var pin: String?
        var needsPassword: Bool?
    }

    private struct Output: Decodable, Sendable {
        struct Frames: Decodable, Sendable {
            var played: Int
            var repeated: Int
            var skipped: Int
        }

        var event: String?
        var frames: Frames?
    }

    /// A service that python-zeroconf found.
    private struct Service: Decodable, Sendable {
        var name: String?
        var port: Int?
        var txt: [String: String]?
    }

    private struct Metadata: Decodable, Equatable {
        var title: String?
        var artist: String?
        var album: String?
        var artworkSHA256: String?
        var volumeDB: Double?
        var durationSeconds: Double?
    }

    private static func start(_ words: String...) throws -> PeerProcess {
        try start(words)
    }

    private static func start(_ words: [String]) throws -> PeerProcess {
        try PeerProcess(Programs.hearth, ["airplay"] + words)
    }

    @Test func aFileIsPlayedToAReceiverThatIsFoundByItsName() async throws {
        try await Fixture.with { fixture in
            let folder = fixture.folder
            let name = "Küche \(UUID().uuidString.prefix(8))"
            let samples = try WaveFile.noise(seconds: 1, to: folder.appending(path: "signal.wav"))
            try Data([0xFF, 0xD8, 0xFF, 1, 2, 3]).write(to: folder.appending(path: "art.jpg"))
            let (pcm, meta) = (folder.appending(path: "out.pcm"), folder.appending(path: "out.json"))
            let receiver = try Self.start(
                "receive",
                "--name",
                name,
                "--bind",
                "127.0.0.1",
                "--mdns-interface",
                "127.0.0.1",
                "--password",
                "secret",
                "--pcm",
                pcm.path,
                "--meta",
                meta.path,
                "--json"
            )
            _ = try await receiver.json(Line.self, "the receiver") { $0.event == "ready" }
            try await Wait.until("the receiver is listed") {
                let list = try Self.start("list", "--mdns-interface", "127.0.0.1", "--time", "1", "--json")
                await list.exit()
                return list.transcript.split(separator: "\n").contains { text in
                    let line = try? JSONDecoder().decode(Line.self, from: Data(text.utf8))
                    return line?.name == name && line?.needsPassword == true
                }
            }
            let player = try Self.start(
                "play",
                folder.appending(path: "signal.wav").path,
                "--to",
                name,
                "--mdns-interface",
                "127.0.0.1",
                "--password",
                "secret",
                "--art",
                folder.appending(path: "art.jpg").path,
                "--title",
                "Ein Lied",
                "--artist",
                "日本",
                "--album",
                "Album",
                "--volume",
                "-12.5"
            )
            #expect(await player.exit() == 0, "\(player.transcript)")
            #expect(player.transcript == "")
            _ = try await receiver.json(Line.self, "the end") { $0.event == "ended" }
            #expect(await receiver.terminate() == 0)
            #expect(Array(try Data(contentsOf: pcm)).elementsEqual(samples))
            let metadata = try JSONDecoder().decode(Metadata.self, from: Data(contentsOf: meta))
            let expected = Metadata(
                title: "Ein Lied",
                artist: "日本",
                album: "Album",
                artworkSHA256: "6456b2ac4bae7c410724a1dbd8eeaaf2a9cb6b03c3e6c82ccd8101b284656791",
                volumeDB: -12.5,
                durationSeconds: 1
            )
            #expect(metadata == expected)
        }
    }

    @Test func aReceiverOfAirPlay2AsksForItsPINOnce() async throws {
        try await Fixture.with { fixture in
            let folder = fixture.folder
            let name = "Küche \(UUID().uuidString.prefix(8))"
            let samples = try WaveFile.noise(seconds: 1, to: folder.appending(path: "signal.wav"))
            let pcm = folder.appending(path: "out.pcm")
            let (receiverFile, senderFile) = (folder.appending(path: "receiver"), folder.appending(path: "sender"))
            for isPaired in [false, true] {
                let receiver = try PeerProcess(
                    Programs.hearth,
                    [
                        "airplay", "receive", "--name", name, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1",
                        "--pin", "random", "--pairings", receiverFile.path, "--pcm", pcm.path, "--json",
                    ]
                )
                _ = try await receiver.json(Line.self, "the receiver") { $0.event == "ready" }
                let player = try PeerProcess(
                    Programs.hearth,
                    [
                        "airplay", "play", folder.appending(path: "signal.wav").path, "--to", name, "--mdns-interface",
                        "127.0.0.1", "--pairings", senderFile.path,
                    ]
                )
                if !isPaired {
                    let pin = try await receiver.json(Line.self, "the PIN") { $0.event == "pin" }
                    try player.send(try #require(pin.pin))
                }
                #expect(await player.exit() == 0, "\(player.transcript)")
                _ = try await receiver.json(Line.self, "the end") { $0.event == "ended" }
                #expect(receiver.transcript.contains("\"pin\"") == !isPaired)
                #expect(await receiver.terminate() == 0)
                #expect(Array(try Data(contentsOf: pcm)).elementsEqual(samples))
            }
            for file in [receiverFile, senderFile] {
                let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
                #expect(attributes[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    @Test func pyatvPlaysToAReceiverOfAirPlay2() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "signal.wav")
            let samples = try WaveFile.noise(seconds: 1, to: file)
            let pcm = fixture.folder.appending(path: "out.pcm")
            let name = "Receiver \(UUID().uuidString.prefix(8))"
            let receiver = try PeerProcess(
                Programs.hearth,
                [
                    "airplay", "receive", "--name", name, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1",
                    "--pcm",
                    pcm.path, "--json",
                ]
            )
            let ready = try await receiver.json(Fixture.Line.self, "the receiver") { $0.event == "ready" }
            let port = try #require(ready.port)
            let browser = try PeerPython.start("zeroconf_browse.py", ["_airplay._tcp"])
            let service = try await browser.json(Service.self, "the service") { $0.name == name }
            #expect(service.port == port)
            let features = try #require(service.txt?["features"])
            let peer = try PeerPython.start(
                "pyatv_sender.py",
                ["127.0.0.1", "\(port)", file.path, "--features", features]
            )
            let outcome = try await peer.line("the outcome") { $0 == "done" || $0.hasPrefix("failed") }
            #expect(outcome == "done", "\(peer.transcript)")
            _ = try await receiver.json(Line.self, "the end") { $0.event == "ended" }
            #expect(await receiver.terminate() == 0)
            await peer.terminate()
            await browser.terminate()
            #expect(try Data(contentsOf: pcm).starts(with: samples))
        }
    }

    /// Runs a closure with a receiver, and a player that plays silence to it.
    private func withStream(_ body: (_ receiver: PeerProcess, _ player: PeerProcess) async throws -> Void) async throws
    {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "silence.wav")
            try WaveFile.silence(to: file)
            let name = "Receiver \(UUID().uuidString.prefix(8))"
            let arguments = ["receive", "--name", name, "--bind", "127.0.0.1", "--pcm", "/dev/null", "--json"]
            let receiver = try PeerProcess(Programs.hearth, ["airplay"] + arguments)
            let ready = try await receiver.json(Fixture.Line.self, "the receiver") { $0.event == "ready" }
            let port = try #require(ready.port)
            let player = try Self.start("play", file.path, "--host", "127.0.0.1", "--port", "\(port)")
            _ = try await receiver.json(Line.self, "the stream") { $0.event == "started" }
            try await body(receiver, player)
            #expect(await player.terminate() == 0, "\(player.transcript)")
            receiver.kill(SIGCONT)
            #expect(await receiver.terminate() == 0)
        }
    }

    @Test(arguments: ["--airplay2", "--classic"])
    func aPasswordIsTakenInBothProtocols(version: String) async throws {
        try await Fixture.with { fixture in
            let name = "Room \(UUID().uuidString.prefix(8))"
            let file = fixture.folder.appending(path: "silence.wav")
            try WaveFile.silence(to: file)
            let receiver = try PeerProcess(
                Programs.hearth,
                ["airplay", "receive", "--name", name, "--bind", "127.0.0.1", "--pcm", "/dev/null", "--json"]
                    + ["--password", "secret"]
            )
            _ = try await receiver.json(Fixture.Line.self, "the receiver") { $0.event == "ready" }
            let words = [
                "airplay", "play", file.path, "--to", name, "--mdns-interface", "127.0.0.1", version, "--json",
            ]
            let wrong = try PeerProcess(Programs.hearth, words + ["--password", "wrong"])
            #expect(await wrong.exit() == 1)
            #expect(wrong.transcript.contains("\"wrongPassword\""), "\(wrong.transcript)")
            let player = try PeerProcess(Programs.hearth, words + ["--password", "secret"])
            _ = try await player.json(Fixture.Line.self, "playing") { $0.event == "playing" }
            #expect(await player.terminate() == 0, "\(player.transcript)")
            #expect(await receiver.terminate() == 0)
        }
    }

    @Test func aPasswordIsAskedForOnATerminalAndOtherFilesAreConverted() async throws {
        struct Outcome: Decodable, Sendable {
            var status: Int32
            var text: String
        }
        try await Fixture.with { fixture in
            let folder = fixture.folder
            let samples = try WaveFile.noise(seconds: 1, to: folder.appending(path: "signal.wav"))
            let errors = try await ShellScript.run(
                "cd '\(folder.path)' && ffmpeg -nostdin -v error -i signal.wav -ar 44100 -c:a flac signal.flac"
            )
            #expect(errors == "")
            let name = "Room \(UUID().uuidString.prefix(8))"
            let pcm = folder.appending(path: "out.pcm")
            let receiver = try Self.start(
                ["receive", "--name", name, "--bind", "127.0.0.1", "--pcm", pcm.path, "--json", "--password", "secret"]
            )
            _ = try await receiver.json(Line.self, "the receiver") { $0.event == "ready" }
            let rules = #"[{"prompt": "Password of \#(name)", "send": "secret"}]"#
            let words = ["airplay", "play", folder.appending(path: "signal.flac").path, "--to", name]
            let terminal = try PeerPython.start(
                "terminal.py",
                [rules, Programs.hearth.path] + words + ["--mdns-interface", "127.0.0.1"]
            )
            let outcome = try await terminal.json(Outcome.self, "the end") { _ in true }
            #expect(outcome.status == 0, "\(outcome.text)")
            #expect(outcome.text.contains("\(name) plays."))
            _ = try await receiver.json(Line.self, "the end") { $0.event == "ended" }
            #expect(await receiver.terminate() == 0)
            #expect(try Data(contentsOf: pcm).elementsEqual(samples))
        }
    }

    @Test func commandsOfTheReceiverArePrinted() async throws {
        try await withStream { receiver, player in
            // The player's service may not be found at once, and the receiver doesn't keep commands.
            let pressing = Task {
                while !Task.isCancelled {
                    try receiver.send("playpause")
                    try await Task.sleep(for: .seconds(1))
                }
            }
            defer { pressing.cancel() }
            _ = try await player.line("the command") { $0 == "remote playpause" }
        }
    }

    @Test func stoppingIsNoErrorIfTheReceiverIsGone() async throws {
        try await withStream { receiver, _ in receiver.kill(SIGSTOP) }
    }

    private static func play(toReceivers count: Int) -> [String] {
        ["play", "/nonexistent"] + (1...count).flatMap { ["--to", "\($0)"] }
    }

    @Test(arguments: [
        (["play", "/bin/sh", "--host", "127.0.0.1", "--port", "9"], Int32(1), "unsupportedFile"),
        (["play", "/nonexistent", "--host", "127.0.0.1", "--port", "9"], 1, "fileUnreadable"),
        (["play", "x.wav", "--host", "127.0.0.1"], 2, "usage"),
        (["play", "x.wav"], 2, "usage"),
        (["play", "x.wav", "--to", "Kitchen", "--volume", "3"], 2, "usage"),
        (["play", "x.wav", "--to", "Kitchen", "--to", "Kitchen"], 2, "usage"),
        (["play", "x.wav", "--to", "A", "--to", "B", "--to", "C", "--volume", "-1", "--volume", "-2"], 2, "usage"),
        (Self.play(toReceivers: 32), 1, "fileUnreadable"),
        (Self.play(toReceivers: 33), 2, "usage"),
        (["receive", "--name", "", "--pcm", "/dev/null"], 2, "usage"),
        (["receive", "--name", "X"], 2, "usage"),
        (["receive", "--name", "X", "--pcm", "x", "--probe", "y"], 2, "usage"),
        (["play", "http://host/a", "--to", "A", "--to", "B"], 2, "usage"),
        (["receive", "--name", "X", "--output", "oss"], 2, "usage"),
        (["receive", "--name", "X", "--output", "alsa:"], 2, "usage"),
        (["receive", "--name", "X", "--bind", "127.0.0.1", "--output", "alsa:hearth-missing"], 1, "soundCardFailed"),
        (["receive", "--name", "X", "--bind", "127.0.0.1", "--pcm", "/nonexistent/x"], 1, "fileUnwritable"),
        (["receive", "--name", "X", "--pin", "12", "--pcm", "/dev/null"], 2, "usage"),
        (["receive", "--name", "X", "--pin", "1234", "--password", "x", "--pcm", "/dev/null"], 2, "usage"),
        (["receive", "--name", "X", "--pairings", "/dev/null", "--pcm", "/dev/null"], 1, "invalidPairings"),
        (["receive", "--name", "X", "--pairings", "/nonexistent/x", "--pcm", "/dev/null"], 1, "fileUnwritable"),
        (["play", "x.wav", "--to", "Kitchen", "--pin", "x"], 2, "usage"),
        (["play", "x.wav", "--to", "Kitchen", "--classic", "--pin", "1234"], 2, "usage"),
    ])
    func badArgumentsAreNamed(words: [String], status: Int32, error: String) async throws {
        let program = try PeerProcess(Programs.hearth, ["airplay"] + words + ["--json"])
        #expect(await program.exit() == status)
        #expect(program.transcript.contains("\"\(error)\""), "\(program.transcript)")
    }

    private static func receiver(_ name: String, port: Int = 0, pcm: String) async throws -> (PeerProcess, port: Int) {
        let arguments = ["--name", name, "--bind", "127.0.0.1", "--port", "\(port)", "--pcm", pcm, "--json"]
        let receiver = try PeerProcess(Programs.hearth, ["airplay", "receive"] + arguments)
        let ready = try await receiver.json(Fixture.Line.self, "the receiver") { $0.event == "ready" }
        return (receiver, try #require(ready.port))
    }

    @Test func aSoundCardPlaysEveryFrameAtTheVolume() async throws {
        try await Fixture.with { fixture in
            let folder = fixture.folder
            let samples = try WaveFile.noise(seconds: 1, to: folder.appending(path: "signal.wav"))
            // ALSA's own stand-in for a card, which writes what it plays to a file.
            let played = folder.appending(path: "played.raw")
            let configuration = folder.appending(path: "asoundrc")
            try Data(
                """
                pcm.nothing { type null }
                pcm.file { type file slave.pcm "nothing" file "\(played.path)" format "raw" }
                """.utf8
            )
            .write(to: configuration)
            let arguments = ["--name", "Card", "--bind", "127.0.0.1", "--output", "alsa:file", "--json"]
            let receiver = try PeerProcess(
                Programs.hearth,
                ["airplay", "receive"] + arguments,
                environment: ["ALSA_CONFIG_PATH": configuration.path]
            )
            let ready = try await receiver.json(Fixture.Line.self, "the receiver") { $0.event == "ready" }
            let address = ["--host", "127.0.0.1", "--port", "\(try #require(ready.port))"]
            let player = try Self.start(
                ["play", folder.appending(path: "signal.wav").path, "--volume", "-6.0205999"] + address
            )
            #expect(await player.exit() == 0, "\(player.transcript)")
            let output = try await receiver.json(Output.self, "the card's end") { $0.event == "output" }
            #expect(await receiver.terminate() == 0)
            let frames = try #require(output.frames)
            // A busy machine may be late.
            guard frames.played == 44_100, frames.repeated + frames.skipped == 0 else {
                #expect(frames.played > 0, "\(receiver.transcript)")
                return
            }
            // Half as loud, and silence before and after.
            let expected = stride(from: 0, to: samples.count, by: 2).flatMap { index in
                let sample = Int16(bitPattern: UInt16(samples[index]) | UInt16(samples[index + 1]) << 8)
                let half = Int16((Double(sample) * 0.5).rounded())
                return [UInt8(truncatingIfNeeded: half), UInt8(truncatingIfNeeded: half >> 8)]
            }
            let file = try Data(contentsOf: played)
            let start = try #require(file.firstRange(of: Data(expected.prefix(4_000)))?.lowerBound)
            #expect(file[start...].starts(with: expected))
            #expect(file[..<start].allSatisfy { $0 == 0 })
            #expect(file[(start + expected.count)...].allSatisfy { $0 == 0 })
        }
    }

    @Test func severalReceiversPlayAndTheMissingOneIsNamed() async throws {
        try await Fixture.with { fixture in
            let folder = fixture.folder
            let samples = try WaveFile.noise(seconds: 1, to: folder.appending(path: "signal.wav"))
            let names = ["One", "Two"].map { "\($0) \(UUID().uuidString.prefix(8))" }
            var receivers: [PeerProcess] = []
            var words: [String] = []
            for (index, name) in names.enumerated() {
                let pcm = folder.appending(path: "\(index).pcm").path
                let (receiver, port) = try await Self.receiver(name, pcm: pcm)
                receivers.append(receiver)
                words += index == 0 ? ["--to", name] : ["--host", "127.0.0.1", "--port", "\(port)"]
            }
            let player = try Self.start(
                ["play", folder.appending(path: "signal.wav").path] + words
                    + ["--host", "127.0.0.1", "--port", "9", "--mdns-interface", "127.0.0.1"]
                    + ["--volume", "-3", "--volume", "-6", "--volume", "-9", "--json"]
            )
            #expect(await player.exit() == 1, "\(player.transcript)")
            let lines = try player.transcript.split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            let playing = lines.filter { $0.event == "playing" }.compactMap(\.name)
            #expect(Set(playing).isSuperset(of: [names[0]]) && playing.count == 2)
            #expect(lines.contains { $0.event == "failed" && $0.name == "127.0.0.1:9" && $0.error == "unreachable" })
            #expect(lines.last?.error == "unreachable")
            for (index, receiver) in receivers.enumerated() {
                _ = try await receiver.json(Line.self, "the end") { $0.event == "ended" }
                #expect(receiver.transcript.contains(index == 0 ? "\"volumeDB\":-3" : "\"volumeDB\":-6"))
                #expect(await receiver.terminate() == 0)
                let pcm = try Data(contentsOf: folder.appending(path: "\(index).pcm"))
                #expect(pcm.elementsEqual(samples))
            }
        }
    }

    @Test func aReceiverThatDoesNotAnswerDoesNotHoldUpTheOthers() async throws {
        try await Fixture.with { fixture in
            let folder = fixture.folder
            let samples = try WaveFile.noise(seconds: 1, to: folder.appending(path: "signal.wav"))
            let pcm = folder.appending(path: "out.pcm")
            let (silent, silentPort) = try await Self.receiver("Silent", pcm: "/dev/null")
            let (other, port) = try await Self.receiver("Other", pcm: pcm.path)
            silent.kill(SIGSTOP)
            let words = [silentPort, port].flatMap { ["--host", "127.0.0.1", "--port", "\($0)"] }
            let player = try Self.start(["play", folder.appending(path: "signal.wav").path] + words)
            #expect(await player.exit() == 1, "\(player.transcript)")
            #expect(player.transcript.contains("disconnected"), "\(player.transcript)")
            _ = try await other.json(Line.self, "the end") { $0.event == "ended" }
            silent.kill(SIGCONT)
            for receiver in [silent, other] { #expect(await receiver.terminate() == 0) }
            #expect(try Data(contentsOf: pcm).elementsEqual(samples))
        }
    }

    @Test func aReceiverThatFallsSilentIsLostAndBack() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "silence.wav")
            try WaveFile.silence(to: file)
            let (silent, silentPort) = try await Self.receiver("Silent", pcm: "/dev/null")
            let (other, port) = try await Self.receiver("Other", pcm: "/dev/null")
            let words = [silentPort, port].flatMap { ["--host", "127.0.0.1", "--port", "\($0)"] }
            let player = try Self.start(["play", file.path] + words)
            for port in [silentPort, port] {
                _ = try await player.line("the receivers") { $0 == "playing 127.0.0.1:\(port)" }
            }
            silent.kill(SIGSTOP)
            _ = try await player.line("the loss") { $0 == "lost 127.0.0.1:\(silentPort)" }
            silent.kill(SIGCONT)
            _ = try await player.line("the return") { $0 == "back 127.0.0.1:\(silentPort)" }
            #expect(!player.transcript.contains("lost 127.0.0.1:\(port)"))
            #expect(await player.terminate() == 0, "\(player.transcript)")
            for receiver in [silent, other] { #expect(await receiver.terminate() == 0) }
        }
    }

    @Test func aReceiverThatIsKilledIsLostAndBack() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "silence.wav")
            try WaveFile.silence(to: file)
            let names = ["Steady", "Lost"].map { "\($0) \(UUID().uuidString.prefix(8))" }
            let (steady, _) = try await Self.receiver(names[0], pcm: "/dev/null")
            let (lost, _) = try await Self.receiver(names[1], pcm: "/dev/null")
            let player = try Self.start(
                ["play", file.path, "--to", names[0], "--to", names[1], "--mdns-interface", "127.0.0.1"]
            )
            _ = try await player.line("the second receiver") { $0 == "playing \(names[1])" }
            _ = try await player.line("the first receiver") { $0 == "playing \(names[0])" }
            lost.kill(SIGKILL)
            _ = try await player.line("the loss") { $0 == "lost \(names[1])" }
            // It has another port now.
            let (back, _) = try await Self.receiver(names[1], pcm: "/dev/null")
            _ = try await player.line("the return") { $0 == "back \(names[1])" }
            #expect(!player.transcript.contains("lost \(names[0])"))
            #expect(await player.terminate() == 0, "\(player.transcript)")
            #expect(steady.transcript.components(separatedBy: "\"started\"").count == 2)
            for receiver in [steady, back] { #expect(await receiver.terminate() == 0) }
        }
    }

    @Test func aReceiverThatIsNotThereIsNamed() async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "signal.wav")
            _ = try WaveFile.noise(seconds: 1, to: file)
            let player = try Self.start("play", file.path, "--host", "127.0.0.1", "--port", "9", "--json")
            #expect(await player.exit() == 1)
            #expect(player.transcript.contains("\"unreachable\""), "\(player.transcript)")
        }
    }
}
