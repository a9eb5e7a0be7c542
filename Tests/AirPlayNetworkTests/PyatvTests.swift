import AirPlay
import AirPlayNetwork
import Foundation
import PeerProcess
import Testing

extension StreamsOneByOne {
    /// pyatv plays to our receiver.
    @Suite struct PyatvTests {
        private static func receive(
            _ samples: [Int16],
            password: String? = nil,
            _ options: [String] = [],
            _ check: (Recorder, PeerProcess, _ outcome: String) throws -> Void
        ) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "airplay-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "signal.wav")
            try Data(TestSignal.wave(samples)).write(to: file)
            let artwork = folder.appending(path: "artwork.jpg")
            try Data(Self.artwork).write(to: artwork)

            let recorder = Recorder()
            let receiver = AirPlayReceiver(.init(address: "127.0.0.1", password: password), handlers: recorder.handlers)
            let port = try await receiver.start()
            do {
                let peer = try PeerPython.start(
                    "pyatv_sender.py",
                    ["127.0.0.1", "\(port)", file.path, "--art", artwork.path] + options
                )
                let outcome = try await peer.line("the outcome") { $0 == "done" || $0.hasPrefix("failed") }
                try await Wait.until("the stream ends") { outcome != "done" || !recorder.ended.isEmpty }
                try check(recorder, peer, outcome)
                await peer.terminate()
            } catch {
                await receiver.stop()
                throw error
            }
            await receiver.stop()
        }

        private static let artwork: [UInt8] = [0xFF, 0xD8, 0xFF] + (0..<3_000).map { UInt8(truncatingIfNeeded: $0) }

        @Test func everyFrameAndTheMetadataArrive() async throws {
            // pyatv reports whole seconds.
            let samples = TestSignal.samples(frameCount: 44_100)
            try await Self.receive(
                samples,
                password: "secret",
                ["--password", "secret", "--title", "Für Elise", "--artist", "日本", "--album", "Plain"]
            ) { recorder, peer, outcome in
                #expect(outcome == "done", "\(peer.transcript)")
                let isEqual = recorder.audio.starts(with: TestSignal.bytes(samples))
                #expect(isEqual)
                let hasSilenceAfterwards = recorder.audio.dropFirst(samples.count * 2).allSatisfy { $0 == 0 }
                #expect(hasSilenceAfterwards)
                let nowPlaying = recorder.nowPlaying
                #expect(nowPlaying?.track == TrackMetadata(title: "Für Elise", artist: "日本", album: "Plain"))
                #expect(nowPlaying?.artwork?.bytes == Self.artwork)
                #expect(nowPlaying?.volume != nil)
                #expect(nowPlaying?.progress?.duration == 1)
            }
        }

        /// PCM is what pyatv sends. The test has it send Apple Lossless, too: samples as they are, and compressed by FFmpeg.
        @Test(arguments: [nil, "escape", "alac"])
        func everyFrameArrivesDespiteLossAndDisorder(codec: String?) async throws {
            let samples = TestSignal.samples(frameCount: 44_100)
            let options = codec.map { ["--codec", $0] } ?? []
            try await Self.receive(samples, ["--drop", "33", "--swap", "31"] + options) { recorder, peer, outcome in
                #expect(outcome == "done", "\(peer.transcript)")
                let isEqual = recorder.audio.starts(with: TestSignal.bytes(samples))
                // pyatv adds silence, and ends without waiting for requests of its last packets.
                #expect(isEqual)
                #expect(recorder.ended.first?.malformed == 0)
                #expect((recorder.ended.first?.repaired ?? 0) >= 3)
                #expect((recorder.ended.first?.reordered ?? 0) >= 3)
            }
        }

        @Test func theWrongPasswordIsRefused() async throws {
            try await Self.receive([1, 2], password: "secret", ["--password", "wrong"]) { recorder, _, outcome in
                #expect(outcome.hasPrefix("failed"))
                #expect(recorder.events.contains(.refused(.wrongPassword, sender: "127.0.0.1")))
                #expect(recorder.audio.isEmpty)
            }
        }
    }
}
