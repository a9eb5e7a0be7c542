import AirPlay
import AirPlayNetwork
import HAP
import PeerProcess
import Testing

extension StreamsOneByOne {
    /// Connections that do what no sender does, while another sender plays.
    @Suite struct HostileSenderTests {
        /// Runs attacks while a sender plays, which must not notice.
        private static func whilePlaying(_ attack: (EncryptedLoopbackTests.Receiver) throws -> Void) async throws {
            let samples = TestSignal.long
            try await EncryptedLoopbackTests.Receiver.with { receiver in
                let recorder = receiver.recorder
                let sender = EncryptedLoopbackTests.sender(
                    samples,
                    port: receiver.port,
                    try EncryptedLoopbackTests.access()
                )
                try await sender.connect()
                async let playing: Void = sender.play()
                try await Wait.until("it plays") { !recorder.audio.isEmpty }
                try attack(receiver)
                let count = recorder.audio.count
                try await Wait.until("it goes on") { recorder.audio.count > count }
                #expect(recorder.ended.isEmpty)
                await sender.stop()
                try await playing
                try await recorder.waitForEnd()
                #expect(recorder.ended.count == 1)
                #expect(recorder.ended.first?.forged == 0)
            }
        }

        @Test func framesThatAreAlteredOrRepeatedEndTheConnection() async throws {
            try await Self.whilePlaying { receiver in
                for attack in 0..<4 {
                    let connection = try RawSender(port: receiver.port)
                    try connection.pair()
                    let options = RTSPRequest(.options, "*", headers: ["CSeq": "1"])
                    try connection.send(options)
                    #expect(try connection.receive()?.status == .ok)
                    switch attack {
                    case 0: connection.send(raw: Array(repeating: 0x41, count: 100))
                    case 1: connection.send(raw: [0, 0] + Array(repeating: 0, count: 16))
                    case 2: connection.send(raw: options.encoded())
                    default: connection.send(raw: connection.lastSent)
                    }
                    #expect(try connection.receive() == nil)
                }
                #expect(receiver.recorder.events.filter { if case .malformed = $0 { true } else { false } }.count == 4)
            }
        }

        @Test func whatFollowsTheLastPairingMessageInTheClearIsNotTaken() async throws {
            try await Self.whilePlaying { receiver in
                let connection = try RawSender(port: receiver.port)
                var random = SystemRandomNumberGenerator()
                let identity = ControllerIdentity(pairingID: try #require(PairingID("x")), keyPair: .random())
                var pairing = SenderPairing(.transient, identity: identity, peers: [])
                try connection.send(pairing.start(using: &random))
                guard case .send(let last) = try pairing.receive(try #require(try connection.receive()), using: &random)
                else { return }
                connection.send(raw: last.encoded() + RTSPRequest(.options, "*").encoded())
                // Whether the answer is sent depends on how the bytes arrive, but nothing is sent after it.
                if let answer = try connection.receive() {
                    #expect(answer.status == .ok)
                    #expect(try connection.receive() == nil)
                }
            }
        }

        @Test func aSenderThatDoesNotWaitForAnswersIsDisconnected() async throws {
            try await Self.whilePlaying { receiver in
                let options = RTSPRequest(.options, "*").encoded()
                for excess in [0, 1] {
                    let connection = try RawSender(port: receiver.port)
                    let limit = AirPlayReceiver.requestLimit
                    connection.send(raw: Array(repeating: options, count: limit + excess).flatMap { $0 })
                    for _ in 0..<limit { #expect(try connection.receive()?.status == .ok) }
                    connection.send(raw: options)
                    #expect(try connection.receive()?.status == (excess == 0 ? .ok : nil))
                }
            }
        }

        @Test func bodiesThatLieAndHalfOpenSessionsKeepNobodyOut() async throws {
            try await Self.whilePlaying { receiver in
                var halfOpen: [RawSender] = []
                for _ in 0..<AirPlayReceiver.connectionLimit + 4 {
                    let connection = try RawSender(port: receiver.port)
                    try connection.send(RTSPRequest(.post, "/pair-setup", body: [6, 1, 1, 0, 1, 0, 19, 1, 16]))
                    halfOpen.append(connection)
                }
                let connection = try RawSender(port: receiver.port)
                try connection.pair()
                for body in [[], Array("bplist00".utf8), Array(repeating: 255, count: 70_000)] as [[UInt8]] {
                    let headers: HTTPHeaders = ["Content-Type": PropertyList.contentType]
                    try connection.send(RTSPRequest(.setup, "*", headers: headers, body: body))
                    #expect(try connection.receive()?.status == .notEnoughBandwidth)
                }
            }
            // Without a stream that plays, they are refused for what they are.
            try await EncryptedLoopbackTests.Receiver.with { receiver in
                let connection = try RawSender(port: receiver.port)
                try connection.pair()
                for body in [[], Array("bplist00".utf8), Array(repeating: 255, count: 70_000)] as [[UInt8]] {
                    let headers: HTTPHeaders = ["Content-Type": PropertyList.contentType]
                    try connection.send(RTSPRequest(.setup, "*", headers: headers, body: body))
                    #expect(try connection.receive()?.status == .badRequest)
                }
                #expect(
                    receiver.recorder.events
                        == Array(repeating: .refused(.malformedSetup, sender: "127.0.0.1"), count: 3)
                )
            }
        }

        @Test func eventChannelsWithoutASessionAreClosed() async throws {
            try await EncryptedLoopbackTests.Receiver.with { receiver in
                let connection = try RawSender(port: receiver.port)
                try connection.pair()
                let session: PropertyList = [
                    "deviceID": "AA:BB:CC:DD:EE:FF", "sessionUUID": "1", "timingProtocol": "None",
                ]
                let headers: HTTPHeaders = ["Content-Type": PropertyList.contentType]
                try connection.send(RTSPRequest(.setup, "*", headers: headers, body: session.bytes))
                let answer = try BinaryPropertyListReader.read(try #require(try connection.receive()).body)
                let port = try #require(answer["eventPort"]?.integer(as: Int.self))
                // The first one is the session's. On it, the receiver describes itself.
                let events = try RawSender(port: port, events: connection.secret)
                let greeting = try events.receiveRequest()
                #expect(greeting.uri == "/command")
                let body = try BinaryPropertyListReader.read(greeting.body)
                #expect(body["value"]?["name"]?.string == receiver.record.name)
                // It ends when it sends what isn't encrypted.
                events.send(raw: Array(repeating: 0x41, count: 100))
                #expect(try events.receive() == nil)
                let second = try RawSender(port: port)
                #expect(try second.receive() == nil)
                try connection.send(RTSPRequest(.options, "*"))
                #expect(try connection.receive()?.status == .ok)
            }
        }
    }
}
