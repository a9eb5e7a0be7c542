import AirPlay
import AirPlayNetwork
import Foundation
import PeerProcess
import Testing

extension StreamsOneByOne {
    /// pyatv plays to our receiver with AirPlay 2.
    @Suite struct PyatvEncryptedTests {
        private static func receive(
            _ samples: [Int16],
            _ admission: ReceiverPairings.Admission = .anyone,
            password: String? = nil,
            _ options: [String] = [],
            _ check: (Recorder, _ outcome: String, _ transcript: String) throws -> Void
        ) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "airplay-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appending(path: "signal.wav")
            try Data(TestSignal.wave(samples)).write(to: file)
            let artwork = folder.appending(path: "artwork.jpg")
            try Data(Self.artwork).write(to: artwork)
            try await EncryptedLoopbackTests.Receiver.with(admission, password: password) { receiver in
                let recorder = receiver.recorder
                let peer = try PeerPython.start(
                    "pyatv_sender.py",
                    [
                        "127.0.0.1", "\(receiver.port)", file.path, "--art", artwork.path, "--features",
                        receiver.record.features.text,
                    ] + options
                )
                if admission == .shownPIN {
                    _ = try await peer.line("the question") { $0 == "pin" }
                    try peer.send(try #require(recorder.pins.last).digits)
                }
                let outcome = try await peer.line("the outcome") { $0 == "done" || $0.hasPrefix("failed") }
                try await Wait.until("the stream ends") { outcome != "done" || !recorder.ended.isEmpty }
                try check(recorder, outcome, peer.transcript)
                await peer.terminate()
            }
        }

        private static let artwork: [UInt8] = [0xFF, 0xD8, 0xFF] + (0..<3_000).map { UInt8(truncatingIfNeeded: $0) }

        @Test func everyFrameAndTheMetadataArrive() async throws {
            let samples = TestSignal.samples(frameCount: 44_100)
            try await Self.receive(
                samples,
                .anyone,
                ["--title", "Für Elise", "--artist", "日本", "--album", "Plain"]
            ) { recorder, outcome, transcript in
                #expect(outcome == "done", "\(transcript)")
                let isEqual = recorder.audio.starts(with: TestSignal.bytes(samples))
                #expect(isEqual)
                let hasSilenceAfterwards = recorder.audio.dropFirst(samples.count * 2).allSatisfy { $0 == 0 }
                #expect(hasSilenceAfterwards)
                #expect(recorder.ended.first?.forged == 0)
                let nowPlaying = recorder.nowPlaying
                #expect(nowPlaying?.track == TrackMetadata(title: "Für Elise", artist: "日本", album: "Plain"))
                #expect(nowPlaying?.artwork?.bytes == Self.artwork)
                #expect(nowPlaying?.volume != nil)
                #expect(nowPlaying?.progress?.duration == 1)
            }
        }

        @Test func everyFrameArrivesDespiteLossAndDisorder() async throws {
            let samples = TestSignal.samples(frameCount: 44_100)
            try await Self.receive(samples, .anyone, ["--drop", "33", "--swap", "31"]) {
                recorder,
                outcome,
                transcript in
                #expect(outcome == "done", "\(transcript)")
                let isEqual = recorder.audio.starts(with: TestSignal.bytes(samples))
                // pyatv adds silence, and ends without waiting for requests of its last packets.
                #expect(isEqual)
                #expect((recorder.ended.first?.repaired ?? 0) >= 3)
                #expect((recorder.ended.first?.reordered ?? 0) >= 3)
            }
        }

        @Test(arguments: [false, true])
        func aSenderThatKnowsThePINPlays(isShown: Bool) async throws {
            let samples = TestSignal.samples(frameCount: 4_410)
            let pin = try #require(PairingPIN("0042"))
            try await Self.receive(
                samples,
                isShown ? .shownPIN : .pin(pin),
                ["--pin", isShown ? "-" : "0042"]
            ) { recorder, outcome, transcript in
                #expect(outcome == "done", "\(transcript)")
                let isEqual = recorder.audio.starts(with: TestSignal.bytes(samples))
                #expect(isEqual)
                #expect(recorder.pairedCounts == [1])
            }
        }

        @Test(arguments: [true, false])
        func onlyASenderThatKnowsThePasswordPlays(isRight: Bool) async throws {
            let samples = TestSignal.samples(frameCount: 4_410)
            let options = ["--password", isRight ? "secret" : "wrong"]
            try await Self.receive(samples, password: "secret", options) { recorder, outcome, transcript in
                #expect((outcome == "done") == isRight, "\(transcript)")
                let isEqual = recorder.audio.starts(with: TestSignal.bytes(samples))
                #expect(isEqual == isRight)
                #expect(recorder.events.contains(.refused(.wrongPassword, sender: "127.0.0.1")) == !isRight)
            }
        }

        @Test func aWrongPINIsRefused() async throws {
            let pin = try #require(PairingPIN("0042"))
            try await Self.receive([1, 2], .pin(pin), ["--pin", "0043"]) { recorder, outcome, _ in
                #expect(outcome.hasPrefix("failed"))
                #expect(recorder.events.contains(.refused(.wrongPIN, sender: "127.0.0.1")))
                #expect(recorder.audio.isEmpty)
            }
        }

        @Test func aSenderWithoutThePINIsRefused() async throws {
            let pin = try #require(PairingPIN("0042"))
            try await Self.receive([1, 2], .pin(pin)) { recorder, outcome, _ in
                #expect(outcome.hasPrefix("failed"))
                #expect(recorder.events.contains(.refused(.pairingRequired, sender: "127.0.0.1")))
                #expect(recorder.audio.isEmpty)
            }
        }
    }
}
