import AirPlay
import AirPlayNetwork
import AppleLossless
import Glibc
import PeerProcess
import Synchronization
import Testing

extension StreamsOneByOne {
    /// Our sender and our receiver on the loopback interface.
    @Suite struct LoopbackTests {
        private static func withReceiver(
            password: String? = nil,
            _ body: (_ recorder: Recorder, _ receiver: AirPlayReceiver, _ port: Int) async throws -> Void
        ) async throws {
            let recorder = Recorder()
            let receiver = AirPlayReceiver(.init(address: "127.0.0.1", password: password), handlers: recorder.handlers)
            let port = try await receiver.start()
            do {
                try await body(recorder, receiver, port)
            } catch {
                await receiver.stop()
                throw error
            }
            await receiver.stop()
        }

        private static func sender(
            _ samples: [Int16],
            port: Int,
            password: String? = nil,
            _ format: AudioFormat = .pcm,
            event: @escaping @Sendable (AirPlaySender.Event) -> Void = { _ in }
        ) -> AirPlaySender {
            var configuration = AirPlaySender.Configuration(host: "127.0.0.1", port: port, format: format)
            configuration.password = password
            configuration.frameCount = samples.count / 2
            configuration.nowPlaying.track = TrackMetadata(title: "Lied", artist: "Band", album: "Übung")
            configuration.nowPlaying.artwork = Artwork(contentType: "image/jpeg", bytes: [1, 2, 3])
            configuration.nowPlaying.volume = Volume(-10)
            let source = PacketSource(samples)
            return AirPlaySender(configuration, source: { source.next() }, event: event)
        }

        @Test(arguments: [false, true])
        func everyFrameArrives(isLossless: Bool) async throws {
            let format = isLossless ? AudioFormat.appleLossless(try AppleLosslessConfiguration()) : .pcm
            // The last packet is shorter.
            let samples = TestSignal.samples(frameCount: 352 * 60 + 100)
            try await Self.withReceiver(password: "secret") { recorder, _, port in
                let sender = Self.sender(samples, port: port, password: "secret", format)
                try await sender.connect()
                try await sender.play()
                try await recorder.waitForEnd()
                let isEqual = recorder.audio == TestSignal.bytes(samples)
                #expect(isEqual)
                #expect(recorder.ended.first?.received == 61)
                #expect(recorder.ended.first?.lost == 0)
                let nowPlaying = recorder.nowPlaying
                #expect(nowPlaying?.track == TrackMetadata(title: "Lied", artist: "Band", album: "Übung"))
                #expect(
                    nowPlaying?.artwork?.sha256 == "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"
                )
                #expect(nowPlaying?.volume == Volume(-10))
                #expect(nowPlaying?.progress?.duration == Double(352 * 60 + 100) / 44_100)
            }
        }

        @Test func aSecondSenderIsRefusedAndTheFirstGoesOn() async throws {
            let samples = TestSignal.long
            try await Self.withReceiver { recorder, _, port in
                let first = Self.sender(samples, port: port)
                try await first.connect()
                async let playing: Void = first.play()
                try await Wait.until("the first plays") { !recorder.audio.isEmpty }
                let second = Self.sender(samples, port: port)
                try await second.connect()
                await #expect(throws: AirPlayNetworkError.failed(.receiverBusy)) { try await second.play() }
                #expect(recorder.events.contains(.refused(.busy, sender: "127.0.0.1")))
                let count = recorder.audio.count
                try await Wait.until("the first goes on") { recorder.audio.count > count }
                await first.stop()
                try await playing
                try await recorder.waitForEnd()
                let audio = recorder.audio
                let isEqual = TestSignal.bytes(Array(samples.prefix(audio.count / 2))) == audio
                #expect(isEqual)
                // Afterwards, the next one plays.
                let third = Self.sender([7, 8], port: port)
                try await third.connect()
                try await third.play()
            }
        }

        @Test(arguments: [(nil, SenderFailure.passwordRequired), ("wrong", .wrongPassword)])
        func theWrongPasswordIsRefused(password: String?, expected: SenderFailure) async throws {
            try await Self.withReceiver(password: "secret") { recorder, _, port in
                let sender = Self.sender([1, 2], port: port, password: password)
                try await sender.connect()
                await #expect(throws: AirPlayNetworkError.failed(expected)) { try await sender.play() }
                #expect(recorder.audio.isEmpty)
            }
        }

        @Test func aSenderThatDisappearsLeavesTheReceiverFree() async throws {
            try await Self.withReceiver { recorder, _, port in
                let first = Self.sender(TestSignal.long, port: port)
                try await first.connect()
                async let playing: Void = first.play()
                try await Wait.until("audio arrives") { !recorder.audio.isEmpty }
                await first.stop()
                try await playing
                try await recorder.waitForEnd()
                let second = Self.sender([3, 4], port: port)
                try await second.connect()
                try await second.play()
                try await Wait.until("the second stream ends") { recorder.ended.count == 2 }
                #expect(recorder.audio.suffix(4) == [3, 0, 4, 0])
            }
        }

        /// A sender on a machine that is too slow sends late, and its receiver isn't lost.
        @Test func aSenderThatFallsBehindStillHearsItsReceiver() async throws {
            try await Self.withReceiver { recorder, _, port in
                let configuration = AirPlaySender.Configuration(host: "127.0.0.1", port: port, format: .pcm)
                let source: AirPlaySender.Source = {
                    // A packet lasts 8 ms.
                    usleep(12_000)
                    return [Int16](repeating: 0, count: 2 * 352)
                }
                let sender = AirPlaySender(configuration, source: source, event: { _ in })
                try await sender.connect()
                async let playing: Void = sender.play()
                try await Wait.until("the sender is behind") { recorder.audio.count > 50 * 352 * 4 }
                var nowPlaying = NowPlaying()
                nowPlaying.volume = Volume(-20)
                await sender.send(nowPlaying)
                #expect(recorder.nowPlaying?.volume == Volume(-20))
                await sender.stop()
                try await playing
            }
        }

        @Test func commandsOfTheReceiverReachTheSender() async throws {
            let commands = Mutex<[String]>([])
            try await Self.withReceiver { recorder, receiver, port in
                let sender = Self.sender(TestSignal.long, port: port) { event in
                    if case .command(let command) = event { commands.withLock { $0.append(command.rawValue) } }
                }
                try await sender.connect()
                async let playing: Void = sender.play()
                try await Wait.until("audio arrives") { !recorder.audio.isEmpty }
                let address = try #require(await receiver.remoteControl)
                let remotePort = try #require(await sender.remoteControlPort)
                let pause = RemoteCommand(rawValue: "pause")
                #expect(
                    await RemoteControlClient.send(pause, token: address.token, host: "127.0.0.1", port: remotePort)
                )
                #expect(await !RemoteControlClient.send(pause, token: "0", host: "127.0.0.1", port: remotePort))
                #expect(commands.withLock { $0 } == ["pause"])
                await sender.stop()
                try await playing
            }
        }

        @Test func theReceiverGetsTheResultOfACommand() async throws {
            try await Self.withReceiver { recorder, receiver, port in
                var configuration = AirPlaySender.Configuration(host: "127.0.0.1", port: port, format: .pcm)
                configuration.command = { $0.rawValue == "play" ? .success : .noSuchContent }
                let source = PacketSource(TestSignal.long)
                let sender = AirPlaySender(configuration, source: { source.next() }, event: { _ in })
                try await sender.connect()
                async let playing: Void = sender.play()
                try await Wait.until("audio arrives") { !recorder.audio.isEmpty }
                let token = try #require(await receiver.remoteControl).token
                let remotePort = try #require(await sender.remoteControlPort)
                func send(_ name: String) async -> Bool {
                    let command = RemoteCommand(rawValue: name)
                    return await RemoteControlClient.send(command, token: token, host: "127.0.0.1", port: remotePort)
                }
                #expect(await send("play"))
                #expect(await !send("nextitem"))
                await sender.stop()
                try await playing
            }
        }

        @Test func halfOpenConnectionsDoNotKeepOthersOut() async throws {
            try await Self.withReceiver { recorder, _, port in
                var idle: [AirPlaySender] = []
                for _ in 0..<AirPlayReceiver.connectionLimit + 4 {
                    let sender = Self.sender([], port: port)
                    try await sender.connect()
                    idle.append(sender)
                }
                let sender = Self.sender([5, 6], port: port)
                try await sender.connect()
                try await sender.play()
                try await recorder.waitForEnd()
                #expect(recorder.audio == [5, 0, 6, 0])
                for sender in idle { await sender.stop() }
            }
        }
    }
}
