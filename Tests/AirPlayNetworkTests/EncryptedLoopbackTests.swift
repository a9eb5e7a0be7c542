import AirPlay
import AirPlayNetwork
import AppleLossless
import HAP
import PeerProcess
import Synchronization
import Testing

extension StreamsOneByOne {
    /// Our sender and our receiver with AirPlay 2 on the loopback interface.
    @Suite struct EncryptedLoopbackTests {
        /// A receiver of AirPlay 2, and what it got.
        struct Receiver {
            let recorder = Recorder()
            let receiver: AirPlayReceiver
            let record: ReceiverRecord
            let port: Int

            init(
                _ admission: ReceiverPairings.Admission = .anyone,
                pairings: [Pairing] = [],
                password: String? = nil
            ) async throws {
                var random = SystemRandomNumberGenerator()
                let identity = AccessoryIdentity.random(using: &random)
                var record = ReceiverRecord(deviceID: "", name: "Kitchen")
                record.addAirPlay2(identity, needsPIN: admission != .anyone)
                self.record = record
                let pairings = ReceiverPairings(
                    identity: identity,
                    pairings: pairings,
                    admission: admission,
                    using: &random
                )
                receiver = AirPlayReceiver(
                    .init(address: "127.0.0.1", password: password, airPlay2: (record, pairings)),
                    handlers: recorder.handlers
                )
                port = try await receiver.start()
            }

            /// Runs a closure, and stops the receiver.
            static func with(
                _ admission: ReceiverPairings.Admission = .anyone,
                password: String? = nil,
                _ body: (Receiver) async throws -> Void
            ) async throws {
                let receiver = try await Receiver(admission, password: password)
                do {
                    try await body(receiver)
                } catch {
                    await receiver.receiver.stop()
                    throw error
                }
                await receiver.receiver.stop()
            }
        }

        static func access(
            _ kind: SenderPairing.Kind = .transient,
            pin: String? = nil
        ) throws -> SenderAccess {
            let identity = ControllerIdentity(pairingID: try #require(PairingID("sender")), keyPair: .random())
            return SenderAccess(kind, identity: identity, pin: { pin.flatMap { PairingPIN($0) } })
        }

        static func sender(
            _ samples: [Int16],
            port: Int,
            _ access: SenderAccess?,
            _ format: AudioFormat = .pcm,
            isCompressing: Bool = true,
            password: String? = nil
        ) -> AirPlaySender {
            var configuration = AirPlaySender.Configuration(host: "127.0.0.1", port: port, format: format)
            configuration.access = access
            configuration.isCompressing = isCompressing
            configuration.password = password
            configuration.frameCount = samples.count / 2
            configuration.nowPlaying.track = TrackMetadata(title: "Lied", artist: "Band", album: "Übung")
            configuration.nowPlaying.artwork = Artwork(
                contentType: "image/jpeg",
                bytes: Array(repeating: 7, count: 5_000)
            )
            configuration.nowPlaying.volume = Volume(-10)
            let source = PacketSource(samples)
            return AirPlaySender(configuration, source: { source.next() }, event: { _ in })
        }

        @Test(arguments: [false, true])
        func everyFrameArrives(isLossless: Bool) async throws {
            let format = isLossless ? AudioFormat.appleLossless(try AppleLosslessConfiguration()) : .pcm
            let samples = TestSignal.samples(frameCount: 352 * 60 + 100)
            try await Receiver.with { receiver in
                let sender = Self.sender(samples, port: receiver.port, try Self.access(), format)
                try await sender.connect()
                try await sender.play()
                let recorder = receiver.recorder
                try await recorder.waitForEnd()
                let isEqual = recorder.audio == TestSignal.bytes(samples)
                #expect(isEqual)
                #expect(recorder.ended.first?.received == 61)
                #expect(recorder.ended.first?.forged == 0)
                #expect(recorder.nowPlaying?.track.album == "Übung")
                #expect(recorder.nowPlaying?.artwork?.bytes.count == 5_000)
                #expect(recorder.nowPlaying?.volume == Volume(-10))
            }
        }

        @Test func classicSendersAreTakenToo() async throws {
            let samples = TestSignal.samples(frameCount: 352 * 10)
            try await Receiver.with { receiver in
                let sender = Self.sender(samples, port: receiver.port, nil)
                try await sender.connect()
                try await sender.play()
                try await receiver.recorder.waitForEnd()
                let isEqual = receiver.recorder.audio == TestSignal.bytes(samples)
                #expect(isEqual)
            }
        }

        @Test func aPasswordIsProvedAfterPairing() async throws {
            let samples = TestSignal.samples(frameCount: 352 * 10)
            try await Receiver.with(password: "secret") { receiver in
                let sender = Self.sender(samples, port: receiver.port, try Self.access(), password: "secret")
                try await sender.connect()
                try await sender.play()
                try await receiver.recorder.waitForEnd()
                let isEqual = receiver.recorder.audio == TestSignal.bytes(samples)
                #expect(isEqual)
                #expect(receiver.recorder.nowPlaying?.track.album == "Übung")
            }
        }

        @Test(arguments: [(nil, SenderFailure.passwordRequired), ("wrong", .wrongPassword)])
        func aMissingOrWrongPasswordIsRefusedAfterPairing(password: String?, expected: SenderFailure) async throws {
            try await Receiver.with(password: "secret") { receiver in
                let sender = Self.sender([1, 2], port: receiver.port, try Self.access(), password: password)
                try await sender.connect()
                await #expect(throws: AirPlayNetworkError.failed(expected)) { try await sender.play() }
                #expect(receiver.recorder.audio.isEmpty)
            }
        }

        @Test func aPINIsNeededOnce() async throws {
            let pin = try #require(PairingPIN("1234"))
            try await Receiver.with(.pin(pin)) { receiver in
                let kept = Mutex<[PairedPeer]>([])
                let identity = ControllerIdentity(pairingID: try #require(PairingID("sender")), keyPair: .random())
                for _ in 0..<2 {
                    let peers = kept.withLock { $0 }
                    let access = SenderAccess(.full, identity: identity, peers: peers) {
                        peers.isEmpty ? pin : nil
                    } keep: { peer in
                        kept.withLock { $0.append(peer) }
                    }
                    let sender = Self.sender([1, 2, 3, 4], port: receiver.port, access)
                    try await sender.connect()
                    try await sender.play()
                }
                #expect(kept.withLock { $0.count } == 1)
                try await Wait.until("both streams end") { receiver.recorder.ended.count == 2 }
                #expect(receiver.recorder.audio == [1, 0, 2, 0, 3, 0, 4, 0, 1, 0, 2, 0, 3, 0, 4, 0])
                #expect(receiver.recorder.pairedCounts == [1])
            }
        }

        @Test(
            arguments: [
                (SenderPairing.Kind.transient, nil, SenderFailure.pairingRequired), (.full, nil, .pairingRequired),
                (.full, "9999", .wrongPIN),
            ] as [(SenderPairing.Kind, String?, SenderFailure)]
        )
        func withoutThePINNothingPlays(kind: SenderPairing.Kind, pin: String?, expected: SenderFailure) async throws {
            try await Receiver.with(.pin(try #require(PairingPIN("1234")))) { receiver in
                let sender = Self.sender([1, 2], port: receiver.port, try Self.access(kind, pin: pin))
                try await sender.connect()
                await #expect(throws: AirPlayNetworkError.failed(expected)) { try await sender.play() }
                #expect(receiver.recorder.audio.isEmpty)
            }
        }

        @Test func aClassicSenderIsRefusedIfAPINIsNeeded() async throws {
            try await Receiver.with(.pin(try #require(PairingPIN("1234")))) { receiver in
                let sender = Self.sender([1, 2], port: receiver.port, nil)
                try await sender.connect()
                await #expect(throws: AirPlayNetworkError.failed(.pairingRequired)) { try await sender.play() }
                #expect(receiver.recorder.events.contains(.refused(.pairingRequired, sender: "127.0.0.1")))
            }
        }

        @Test func aSecondSenderIsRefusedAndTheFirstGoesOn() async throws {
            let samples = TestSignal.long
            try await Receiver.with { receiver in
                let recorder = receiver.recorder
                let first = Self.sender(samples, port: receiver.port, try Self.access())
                try await first.connect()
                async let playing: Void = first.play()
                try await Wait.until("the first plays") { !recorder.audio.isEmpty }
                for access in [try Self.access(), nil] {
                    let second = Self.sender(samples, port: receiver.port, access)
                    try await second.connect()
                    await #expect(throws: AirPlayNetworkError.failed(.receiverBusy)) { try await second.play() }
                }
                let count = recorder.audio.count
                try await Wait.until("the first goes on") { recorder.audio.count > count }
                await first.stop()
                try await playing
                try await recorder.waitForEnd()
                let audio = recorder.audio
                let isEqual = TestSignal.bytes(Array(samples.prefix(audio.count / 2))) == audio
                #expect(isEqual)
            }
        }
    }
}
