import AirPlay
import AirPlayNetwork
import HAP
import PeerProcess
import Testing

extension StreamsOneByOne {
    /// Classic streams, and what no sender or receiver does.
    @Suite struct HostileClassicTests {
        private static func withReceiver(
            _ configuration: AirPlayReceiver.Configuration = .init(address: "127.0.0.1"),
            _ body: (_ recorder: Recorder, _ receiver: AirPlayReceiver, _ port: Int) async throws -> Void
        ) async throws {
            let recorder = Recorder()
            let receiver = AirPlayReceiver(configuration, handlers: recorder.handlers)
            let port = try await receiver.start()
            do {
                try await body(recorder, receiver, port)
            } catch {
                await receiver.stop()
                throw error
            }
            await receiver.stop()
        }

        private static func picture(length: Int) -> [UInt8] {
            let lines = [
                "SET_PARAMETER * RTSP/1.0", "CSeq: 9", "Content-Type: image/jpeg", "Content-Length: \(length)",
            ]
            return Array(lines.map { $0 + "\r\n" }.joined().utf8) + Array("\r\n".utf8)
        }

        @Test func packetsOfOthersDoNotMixWithTheStream() async throws {
            let samples = TestSignal.samples(frameCount: 352 * 40)
            try await Self.withReceiver { recorder, receiver, port in
                var stream = try RawStream(to: port)
                let (otherHost, otherSession) = (try RawPort("127.0.0.2"), try RawPort())
                let audioPort = try #require(stream.receiver.audioPort)
                var foreign = SentStream(.pcm, at: stream.position, source: 99, start: NTPTime(rawValue: 1 << 40))
                let sync = stream.sync(at: NTPTime(rawValue: 1 << 40))
                for index in 0..<40 {
                    let next = stream.position
                    stream.send(Array(samples[index * 704..<(index + 1) * 704]))
                    // The packet after it, with this stream's own numbers, and a time at which other frames would play.
                    let forged = AudioPacket(
                        sequence: next.sequence &+ 1,
                        timestamp: next.timestamp &+ 352,
                        source: 7,
                        payload: Array(repeating: 0x55, count: 1_408)
                    )
                    otherHost.send(forged.bytes, to: audioPort)
                    otherHost.send(ControlPacket.resent(forged.bytes[...]), to: stream.receiver.controlPort)
                    var forgedSync = sync
                    forgedSync.playing &+= 44_100
                    otherHost.send(ControlPacket.sync(forgedSync).bytes, to: stream.receiver.controlPort)
                    try await Wait.until("the packet arrives") { recorder.audio.count >= (index + 1) * 1_408 }
                    // From the sender's host, only the stream's number tells them apart.
                    otherSession.send(foreign.packet(Array(repeating: 0x55, count: 704)), to: audioPort)
                    otherSession.send(Array(repeating: 0xFF, count: index), to: audioPort)
                    otherSession.send(Array(repeating: 0xFF, count: index), to: stream.receiver.controlPort)
                }
                #expect(await receiver.sync == sync)
                try stream.end()
                try await recorder.waitForEnd()
                let isEqual = recorder.audio == TestSignal.bytes(samples)
                #expect(isEqual)
                let statistics = try #require(recorder.ended.first)
                #expect(statistics.received == 40 && statistics.lost == 0)
                #expect(statistics.foreign > 0)
            }
        }

        @Test func metadataThatLiesIsNamedAndTheStreamGoesOn() async throws {
            try await Self.withReceiver { recorder, _, port in
                var stream = try RawStream(to: port)
                let track = TrackMetadata(title: "Song", artist: "Band")
                func set(_ body: [UInt8]) throws -> HTTPStatus {
                    let headers: HTTPHeaders = ["Content-Type": TrackMetadata.contentType]
                    return try stream.exchange(RTSPRequest(.setParameter, "*", headers: headers, body: body)).status
                }
                #expect(try set(track.bytes) == .ok)
                for lie: UInt8 in [0x01, 0x7F, 0xFF] {
                    var bytes = track.bytes
                    // The most significant byte of the title's length.
                    bytes[12] = lie
                    #expect(try set(bytes) == .badRequest)
                }
                let refusals = Array(
                    repeating: ReceiverEvent.refused(.malformedMetadata, sender: "127.0.0.1"),
                    count: 3
                )
                #expect(recorder.events.suffix(3) == refusals[...])
                #expect(recorder.nowPlaying?.track == track)
                stream.send([1, 2])
                try stream.end()
                try await recorder.waitForEnd()
                #expect(recorder.audio == [1, 0, 2, 0])
            }
        }

        @Test func aHugePictureEndsTheConnectionThatSendsIt() async throws {
            try await Self.withReceiver { recorder, _, port in
                var stream = try RawStream(to: port)
                stream.send([1, 2])
                try await Wait.until("it plays") { recorder.audio.count == 4 }
                // Of another sender, which has no stream, much less is too much.
                let limit = HTTPLimits.rtspSetup.bodyLength
                for length in [52_428_800, limit + 1] {
                    let other = try RawSender(port: port)
                    other.send(raw: Self.picture(length: length))
                    #expect(try other.receive()?.status == .contentTooLarge)
                    #expect(try other.receive() == nil)
                }
                let other = try RawSender(port: port)
                other.send(raw: Self.picture(length: limit) + Array(repeating: 0, count: limit))
                #expect(try other.receive()?.status == .invalidState)
                stream.send([3, 4])
                try await Wait.until("it goes on") { recorder.audio.count == 8 }
                #expect(recorder.ended.isEmpty)
                // The sender's own ends its stream, and the receiver is free.
                stream.connection.send(raw: Self.picture(length: 52_428_800))
                #expect(try stream.connection.receive()?.status == .contentTooLarge)
                try await recorder.waitForEnd()
                let reason = HTTPError.bodyTooLarge.description
                let refusals = recorder.events.filter { $0 == .malformed(reason, sender: "127.0.0.1") }
                #expect(refusals.count == 3)
                _ = try RawStream(to: port)
            }
        }

        @Test func aWrongPasswordKeepsNobodyOut() async throws {
            let configuration = AirPlayReceiver.Configuration(address: "127.0.0.1", password: "secret")
            try await Self.withReceiver(configuration) { recorder, _, port in
                let connections = try (0..<3).map { _ in try RawSender(port: port) }
                for connection in connections {
                    let proof = #"Digest username="x", realm="raop", nonce="1", uri="*", response="2""#
                    for attempt in 1...10 {
                        let request = RTSPRequest(.announce, "*", headers: ["Authorization": proof])
                        try connection.send(request)
                        #expect(try connection.receive()?.status == .unauthorized, "\(attempt)")
                    }
                    #expect(try connection.receive() == nil)
                }
                var parameters = AirPlaySender.Configuration(host: "127.0.0.1", port: port, format: .pcm)
                parameters.password = "secret"
                let source = PacketSource([5, 6])
                let sender = AirPlaySender(parameters, source: { source.next() }, event: { _ in })
                try await sender.connect()
                try await sender.play()
                try await recorder.waitForEnd()
                #expect(recorder.audio == [5, 0, 6, 0])
                #expect(recorder.events.filter { $0 == .refused(.wrongPassword, sender: "127.0.0.1") }.count == 30)
            }
        }

        @Test func aStreamThatDoesNotBeginKeepsOthersOutForALimitedTime() async throws {
            var configuration = AirPlayReceiver.Configuration(address: "127.0.0.1")
            configuration.setupLimit = .seconds(2)
            try await Self.withReceiver(configuration) { recorder, _, port in
                let halfOpen = try RawSender(port: port)
                let description = SessionDescription(format: .pcm).text(session: 1, sender: "a", receiver: "b")
                try halfOpen.send(RTSPRequest(.announce, "*", body: Array(description.utf8)))
                #expect(try halfOpen.receive()?.status == .ok)
                try await Wait.until("another sender plays") {
                    // Signs of life don't help it.
                    try halfOpen.send(RTSPRequest(.options, "*"))
                    guard let other = try? RawStream(to: port) else { return false }
                    try other.end()
                    return true
                }
                #expect(recorder.events.contains(.malformed("a stream that didn't begin", sender: "127.0.0.1")))
            }
        }

        @Test func aStormOfRequestsDoesNotHoldUpOtherReceivers() async throws {
            let samples = TestSignal.samples(frameCount: 44_100)
            let storm = try RawReceiver()
            try await Self.withReceiver { recorder, _, port in
                let source = PacketSource(samples)
                let members = [port, storm.port].map { port in
                    AirPlayGroup.Member { () async throws(AirPlayNetworkError) in
                        AirPlaySender.Configuration(host: "127.0.0.1", port: port, format: .pcm)
                    }
                }
                let group = AirPlayGroup(members, source: { source.next() }, event: { _, _ in })
                async let playing = group.play()
                try await Wait.until("both play") { storm.audio.count() > 0 && !recorder.audio.isEmpty }
                let attacker = try RawPort()
                let control = try #require(storm.sender).controlPort
                let request = ControlPacket.resendRequest(ResendRequest(first: 0, count: .max)).bytes
                let start = ContinuousClock.now
                var answers = 0
                for _ in 0..<200 {
                    for _ in 0..<50 { attacker.send(request, to: control) }
                    answers += storm.control.count()
                    await Task.yield()
                }
                try await recorder.waitForEnd()
                let isEqual = recorder.audio == TestSignal.bytes(samples)
                #expect(isEqual)
                answers += storm.control.count()
                let seconds = Int(start.duration(to: .now) / .seconds(1)) + 2
                // Some of them are sync packets.
                #expect(answers <= seconds * 376)
                #expect(await playing.allSatisfy { if case .success = $0 { true } else { false } })
            }
        }
    }
}
