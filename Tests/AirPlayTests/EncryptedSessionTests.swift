import AirPlay
import AppleLossless
import HAP
import Testing

/// Sessions of AirPlay 2 after pairing.
@Suite struct EncryptedSessionTests {
    private static let position = StreamPosition(sequence: 7, timestamp: 8)

    /// Pairing takes long in tests, so all begin where it has ended.
    private static let paired = Result { try pairNew() }

    private static func pairedEnds() throws -> PairingTests.Ends {
        try paired.get()
    }

    private static func pairNew() throws -> PairingTests.Ends {
        var ends = PairingTests.Ends(.anyone)
        let identity = ControllerIdentity(pairingID: try #require(PairingID("sender")), keyPair: .random())
        var pairing = SenderPairing(.transient, identity: identity, peers: [])
        _ = try ends.run(&pairing)
        ends.outcomes = []
        return ends
    }

    private static func request(_ method: RTSPMethod, _ body: PropertyList) -> RTSPRequest {
        RTSPRequest(method, "rtsp://127.0.0.1/1", headers: ["Content-Type": PropertyList.contentType], body: body.bytes)
    }

    private static let session: PropertyList = [
        "deviceID": "AA:BB:CC:DD:EE:FF", "sessionUUID": "1", "timingProtocol": "NTP", "timingPort": 6_002,
    ]

    private static func stream(_ changes: [String: PropertyList?] = [:]) -> PropertyList {
        var stream: [String: PropertyList] = [
            "type": 96, "ct": 1, "audioFormat": 0x800, "spf": 352, "sr": 44_100, "controlPort": 6_001,
            "shk": .data(Array(0..<32)),
        ]
        for (key, value) in changes { stream[key] = value }
        return ["streams": [.dictionary(stream)]]
    }

    @Test func aStreamIsSetUpFlushedAndEnded() throws {
        var ends = try Self.pairedEnds()
        let key = try #require(FrameKey(Array(0..<32)))
        let format = AudioFormat.appleLossless(try AppleLosslessConfiguration())
        var configuration = SenderSession.Configuration(
            description: SessionDescription(format: format),
            number: 99,
            addresses: ("127.0.0.1", "127.0.0.2"),
            ports: StreamTransport(controlPort: 6_001, timingPort: 6_002),
            start: Self.position,
            password: nil,
            remoteControl: RemoteControlAddress(id: "ABCD", token: "1234")
        )
        configuration.encryption = .init(key: key, deviceID: "AA:BB:CC:DD:EE:FF", sessionID: "1", name: "Hearth")
        configuration.nowPlaying.volume = Volume(-12)
        var sender = SenderSession(configuration)
        var steps: [SenderSession.Step] = []
        func run() throws {
            while let request = sender.next() {
                if let step = try sender.receive(ends.handle(request)) { steps.append(step) }
            }
        }
        try run()
        let ports = StreamTransport(audioPort: 5_001, controlPort: 5_002, timingPort: 5_003)
        #expect(steps == [.openEvents(5_004), .play(ports)])
        let senderPorts = StreamTransport(controlPort: 6_001, timingPort: 6_002)
        let events = ends.outcomes.compactMap(\.event)
        #expect(events.first == .ready(SessionDescription(format: format), senderPorts, key: key))
        #expect(events.dropFirst().first == .started(Self.position))
        #expect(ends.receiver.nowPlaying.volume == Volume(-12))
        #expect(ends.receiver.remoteControl?.token == "1234")
        #expect(ends.receiver.hasSession)
        sender.flush(to: Self.position)
        sender.keepAlive()
        sender.tearDown()
        try run()
        #expect(ends.outcomes.compactMap(\.event).suffix(2) == [.flushed(Self.position), .ended])
        #expect(!ends.receiver.hasStream)
        #expect(!ends.receiver.hasSession)
    }

    @Test func aStreamAloneCanBeEnded() throws {
        var ends = try Self.pairedEnds()
        _ = ends.handle(Self.request(.setup, Self.session))
        _ = ends.handle(Self.request(.setup, Self.stream()))
        let outcome = ends.handle(Self.request(.teardown, ["streams": [["type": 96]]]))
        #expect(outcome.status == .ok)
        #expect(ends.outcomes.last?.event == .ended)
        #expect(ends.outcomes.last?.closesConnection == false)
        #expect(ends.handle(Self.request(.setup, Self.stream())).status == .ok)
    }

    @Test func setupsInTheWrongOrderAreRefused() throws {
        var ends = try Self.pairedEnds()
        #expect(ends.handle(Self.request(.setup, Self.stream())).status == .invalidState)
        #expect(ends.handle(RTSPRequest(.record, "*")).status == .invalidState)
        #expect(ends.handle(Self.request(.setup, Self.session)).status == .ok)
        #expect(ends.handle(Self.request(.setup, Self.session)).status == .invalidState)
        #expect(ends.handle(RTSPRequest(.record, "*")).status == .invalidState)
        #expect(ends.handle(RTSPRequest(.announce, "*")).status == .invalidState)
        #expect(ends.handle(RTSPRequest(.post, "/pair-setup", body: [6, 1, 1])).status == .badRequest)
        #expect(ends.outcomes.compactMap(\.event).isEmpty)
        // The session goes on.
        #expect(ends.handle(Self.request(.setup, Self.stream())).status == .ok)
        #expect(ends.handle(Self.request(.setup, Self.stream())).status == .invalidState)
        #expect(ends.handle(RTSPRequest(.record, "*")).status == .ok)
    }

    @Test func withoutPairingNothingIsSetUp() {
        var ends = PairingTests.Ends(.anyone)
        #expect(ends.handle(Self.request(.setup, Self.session)).status == .connectionAuthorizationRequired)
        #expect(ends.outcomes.last?.problem == .pairingRequired)
        #expect(!ends.receiver.hasSession)
    }

    @Test func aSecondSenderIsRefused() throws {
        var ends = try Self.pairedEnds()
        for body in [Self.session, Self.stream()] {
            let busy = ends.receiver.handle(Self.request(.setup, body), isBusy: true)
            #expect(busy.response.status == .notEnoughBandwidth)
            #expect(busy.problem == .busy)
            _ = ends.handle(Self.request(.setup, body))
        }
    }

    @Test(
        arguments: [
            (["timingProtocol": "PTP"], ReceiverProblem.unsupportedTiming), (["timingPort": 0], .malformedSetup),
            (["timingPort": 65_536], .malformedSetup), (["timingPort": "x"], .malformedSetup),
            (["deviceID": 5], .malformedSetup), (["isRemoteControlOnly": true], .unsupportedStream),
        ] as [([String: PropertyList], ReceiverProblem)]
    )
    func sessionsThatCannotBeHadAreNamed(changes: [String: PropertyList], problem: ReceiverProblem) throws {
        guard case .dictionary(let session) = Self.session else { return }
        var ends = try Self.pairedEnds()
        let body = PropertyList.dictionary(session.merging(changes) { _, new in new })
        #expect(ends.handle(Self.request(.setup, body)).status != .ok)
        #expect(ends.outcomes.last?.problem == problem)
        #expect(!ends.receiver.hasSession)
    }

    @Test(
        arguments: [
            (["type": 103], ReceiverProblem.unsupportedStream), (["type": 130], .unsupportedStream),
            (["type": nil], .unsupportedStream), (["shk": .data(Array(0..<31))], .malformedSetup),
            (["shk": nil], .malformedSetup), (["shk": "x"], .malformedSetup), (["controlPort": 0], .malformedSetup),
            (["controlPort": -1], .malformedSetup), (["ct": 4], .unsupportedFormat), (["ct": nil], .malformedSetup),
            (["sr": 48_000], .unsupportedFormat), (["spf": 4_096], .unsupportedFormat), (["spf": "x"], .malformedSetup),
            (["audioFormat": 0x40000], .unsupportedFormat),
            (["ct": 2, "audioFormat": 0x40000, "spf": 0], .unsupportedFormat),
            (["ct": 2, "audioFormat": 0x40000, "spf": 497], .unsupportedFormat),
        ] as [([String: PropertyList?], ReceiverProblem)]
    )
    func streamsThatCannotBeHadAreNamed(changes: [String: PropertyList?], problem: ReceiverProblem) throws {
        var ends = try Self.pairedEnds()
        _ = ends.handle(Self.request(.setup, Self.session))
        #expect(ends.handle(Self.request(.setup, Self.stream(changes))).status != .ok)
        #expect(ends.outcomes.last?.problem == problem)
        #expect(!ends.receiver.hasStream)
    }

    @Test(arguments: [[], ["streams": []], ["streams": "x"], ["streams": [1]]] as [PropertyList])
    func bodiesThatLieAreRefused(body: PropertyList) throws {
        var ends = try Self.pairedEnds()
        _ = ends.handle(Self.request(.setup, Self.session))
        #expect(ends.handle(Self.request(.setup, body)).status != .ok)
        var request = Self.request(.setup, body)
        request.body = [1, 2, 3]
        #expect(ends.handle(request).status == .badRequest)
        #expect(ends.outcomes.last?.problem == .malformedSetup)
    }

    @Test func theReceiverDescribesItself() throws {
        var ends = PairingTests.Ends(.anyone)
        let information = try BinaryPropertyListReader.read(ends.handle(RTSPRequest(.get, "/info")).body)
        #expect(information["name"]?.string == "Kitchen")
        #expect(information["deviceID"]?.string == ends.pairings.identity.deviceID.description)
        let features = try #require(information["features"]?.integer(as: UInt64.self))
        #expect(ReceiverFeatures(rawValue: features).hasAirPlay2)
    }

    @Test func theRecordsSayWhatTheReceiverTakes() throws {
        var record = ReceiverRecord(deviceID: "001122334455", name: "Kitchen")
        #expect(!record.txt.contains { $0.key == "ft" })
        let identity = AccessoryIdentity(deviceID: try #require(DeviceID("00:11:22:33:44:55")), keyPair: .random())
        for needsPIN in [false, true] {
            record.addAirPlay2(identity, needsPIN: needsPIN)
            let txt = Dictionary(record.txt) { first, _ in first }
            let read = try #require(ReceiverRecord(instanceName: record.instanceName) { txt[$0] })
            #expect(read.features == record.features)
            #expect(read.features.hasAirPlay2)
            #expect(read.requiresPairing == needsPIN)
            #expect(read.publicKey == identity.keyPair.publicKey)
            let other = Dictionary(record.airPlayTXT) { first, _ in first }
            #expect(other["features"] == txt["ft"])
            #expect(other["deviceid"] == "00:11:22:33:44:55")
            #expect(other["flags"] == (needsPIN ? "0x20c" : "0x4"))
        }
    }

    @Test func aReceiverWithAPasswordNamesAirPlay2InItsSecondServiceOnly() throws {
        var record = ReceiverRecord(deviceID: "001122334455", name: "Kitchen")
        let identity = AccessoryIdentity(deviceID: try #require(DeviceID("00:11:22:33:44:55")), keyPair: .random())
        record.addAirPlay2(identity, needsPIN: false)
        record.needsPassword = true
        let txt = Dictionary(record.txt) { first, _ in first }
        let classic = try #require(ReceiverRecord(instanceName: record.instanceName) { txt[$0] })
        #expect(classic.needsPassword && classic.features.isEmpty && !classic.requiresPairing)
        let other = Dictionary(record.airPlayTXT) { first, _ in first }
        #expect(other["flags"] == "0x84")
        let modern = try #require(ReceiverRecord(airPlayName: "Kitchen") { other[$0] })
        #expect(modern.needsPassword && modern.features.hasAirPlay2 && !modern.requiresPairing)
    }

    @Test func featuresAreReadAsReceiversWriteThem() {
        #expect(ReceiverFeatures("0x445F8A00,0x1C340")?.contains([.encryption, .pairing, .transientPairing]) == true)
        #expect(ReceiverFeatures("0x445F8A00,0x1C340")?.text == "0x445F8A00,0x1C340")
        #expect(ReceiverFeatures("0x200") == .audio)
        for text in ["", "x", "0x", "0x1,", "0x1,0x2,0x3", "0x123456789", "1"] {
            #expect(ReceiverFeatures(text) == nil)
        }
    }
}
