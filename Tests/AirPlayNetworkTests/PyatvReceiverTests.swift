import AirPlay
import AirPlayNetwork
import AppleLossless
import CoreAudioFile
import Foundation
import HAP
import PeerProcess
import Synchronization
import Testing

extension StreamsOneByOne {
    /// Our sender plays to a receiver that is made of pyatv's pairing and Python's cryptography.
    @Suite struct PyatvReceiverTests {
        private struct Line: Decodable, Sendable {
            var event: String
            var port: Int?
            var path: String?
            var packets: Int?
            var lost: Int?
            var repaired: Int?
            var refused: Int?
            var timing: Int?
            var events: Int?
            var volume: Double?
            var title: String?
        }

        private static func withReceiver(
            _ options: [String] = [],
            _ body: (_ peer: PeerProcess, _ port: Int, _ output: URL) async throws -> Void
        ) async throws {
            let output = FileManager.default.temporaryDirectory.appending(path: "airplay-\(UUID().uuidString).pcm")
            defer { try? FileManager.default.removeItem(at: output) }
            let peer = try PeerPython.start("airplay2_receiver.py", [output.path] + options)
            let ready = try await peer.json(Line.self, "the receiver") { $0.event == "ready" }
            try await body(peer, try #require(ready.port), output)
            await peer.terminate()
        }

        @Test(arguments: [false, true])
        func everyFrameArrives(isLossless: Bool) async throws {
            let format = isLossless ? AudioFormat.appleLossless(try AppleLosslessConfiguration()) : .pcm
            let samples = TestSignal.samples(frameCount: 352 * 60 + 100)
            try await Self.withReceiver { peer, port, output in
                let sender = EncryptedLoopbackTests.sender(
                    samples,
                    port: port,
                    try EncryptedLoopbackTests.access(),
                    format,
                    isCompressing: false
                )
                try await sender.connect()
                try await sender.play()
                let end = try await peer.json(Line.self, "the end") { $0.event == "ended" }
                let isEqual = Array(try Data(contentsOf: output)) == TestSignal.bytes(samples)
                #expect(isEqual)
                #expect(end.packets == 61)
                #expect(end.lost == 0)
                #expect(end.refused == 0)
                #expect(end.timing == 1)
                #expect(end.events == 1)
                #expect(end.volume == -10)
                #expect(end.title == "Lied")
            }
        }

        /// An encoding, as the test asks for it.
        enum Encoding: CaseIterable {
            case pcm
            case escapedLossless
            case compressedLossless
        }

        @Test(arguments: Encoding.allCases)
        func everyFrameArrivesDespiteLossAndDisorder(encoding: Encoding) async throws {
            let samples = TestSignal.samples(frameCount: 44_100)
            let lossless = try AppleLosslessConfiguration()
            let options = ["--drop", "33", "--swap", "31"] + (encoding == .compressedLossless ? ["--packets"] : [])
            try await Self.withReceiver(options) { peer, port, output in
                let sender = EncryptedLoopbackTests.sender(
                    samples,
                    port: port,
                    try EncryptedLoopbackTests.access(),
                    encoding == .pcm ? .pcm : .appleLossless(lossless),
                    isCompressing: encoding == .compressedLossless
                )
                try await sender.connect()
                try await sender.play()
                let end = try await peer.json(Line.self, "the end") { $0.event == "ended" }
                var received = Array(try Data(contentsOf: output))
                if encoding == .compressedLossless {
                    let packets = Self.packets(received)
                    #expect(packets.contains { $0.count < 1_000 }, "they are compressed")
                    received = try await Self.decoded(
                        CoreAudioFile(configuration: lossless, packets: packets, frameCount: samples.count / 2),
                        beside: output
                    )
                }
                let isEqual = received == TestSignal.bytes(samples)
                #expect(isEqual)
                #expect(end.lost == 0)
                #expect((end.repaired ?? 0) >= 3)
            }
        }

        /// Splits packets that each follow their length.
        private static func packets(_ bytes: [UInt8]) -> [[UInt8]] {
            var packets: [[UInt8]] = []
            var rest = bytes[...]
            while rest.count >= 4 {
                let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                packets.append(Array(rest.dropFirst(4).prefix(length)))
                rest = rest.dropFirst(4 + length)
            }
            return packets
        }

        /// The samples that FFmpeg decodes.
        private static func decoded(_ file: CoreAudioFile, beside output: URL) async throws -> [UInt8] {
            let (packed, samples) = (output.appendingPathExtension("caf"), output.appendingPathExtension("samples"))
            defer { for file in [packed, samples] { try? FileManager.default.removeItem(at: file) } }
            try Data(file.bytes).write(to: packed)
            let errors = try await ShellScript.run(
                "ffmpeg -nostdin -v error -i '\(packed.path)' -f s16le -c:a pcm_s16le '\(samples.path)'"
            )
            #expect(errors == "")
            // The last packet is filled with silence.
            return Array(try Data(contentsOf: samples).prefix(file.frameCount * 4))
        }

        @Test func aPasswordIsProved() async throws {
            let samples = TestSignal.samples(frameCount: 4_410)
            try await Self.withReceiver(["--password", "secret"]) { peer, port, output in
                let access = try EncryptedLoopbackTests.access()
                let wrong = EncryptedLoopbackTests.sender(samples, port: port, access, password: "wrong")
                try await wrong.connect()
                await #expect(throws: AirPlayNetworkError.failed(.wrongPassword)) { try await wrong.play() }
                let sender = EncryptedLoopbackTests.sender(
                    samples,
                    port: port,
                    access,
                    isCompressing: false,
                    password: "secret"
                )
                try await sender.connect()
                try await sender.play()
                _ = try await peer.json(Line.self, "the end") { $0.event == "ended" }
                let isEqual = Array(try Data(contentsOf: output)) == TestSignal.bytes(samples)
                #expect(isEqual)
            }
        }

        @Test func aPINIsNeededOnce() async throws {
            let samples = TestSignal.samples(frameCount: 352)
            try await Self.withReceiver(["--pin", "0042"]) { peer, port, output in
                let kept = Mutex<[PairedPeer]>([])
                let identity = ControllerIdentity(pairingID: try #require(PairingID("sender")), keyPair: .random())
                for isFirst in [true, false] {
                    let access = SenderAccess(.full, identity: identity, peers: kept.withLock { $0 }) {
                        isFirst ? PairingPIN("0042") : nil
                    } keep: { peer in
                        kept.withLock { $0.append(peer) }
                    }
                    let sender = EncryptedLoopbackTests.sender(samples, port: port, access)
                    try await sender.connect()
                    try await sender.play()
                    _ = try await peer.json(Line.self, "the end") { $0.event == "ended" }
                    let isEqual = Array(try Data(contentsOf: output)) == TestSignal.bytes(samples)
                    #expect(isEqual)
                    try FileManager.default.removeItem(at: output)
                }
                #expect(kept.withLock { $0.count } == 1)
            }
        }

        @Test func aWrongPINIsNamed() async throws {
            try await Self.withReceiver(["--pin", "0042"]) { _, port, _ in
                let access = try EncryptedLoopbackTests.access(.full, pin: "0043")
                let sender = EncryptedLoopbackTests.sender([1, 2], port: port, access)
                try await sender.connect()
                await #expect(throws: AirPlayNetworkError.failed(.wrongPIN)) { try await sender.play() }
            }
        }
    }
}
