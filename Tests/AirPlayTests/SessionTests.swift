import AirPlay
import AppleLossless
import HAP
import Testing

@Suite struct SessionTests {
    private static let receiverPorts = StreamTransport(audioPort: 5_001, controlPort: 5_002, timingPort: 5_003)
    private static let senderPorts = StreamTransport(controlPort: 6_001, timingPort: 6_002)
    private static let position = StreamPosition(sequence: 7, timestamp: 8)
    private static let remote = RemoteControlAddress(id: "ABCD", token: "1234")

    private static func receiver(password: String? = nil) -> ReceiverSession {
        var random = SystemRandomNumberGenerator()
        return ReceiverSession(.init(ports: receiverPorts, password: password), using: &random)
    }

    private static func sender(password: String? = nil, _ nowPlaying: NowPlaying = NowPlaying()) -> SenderSession {
        var configuration = SenderSession.Configuration(
            description: SessionDescription(format: .pcm),
            number: 99,
            addresses: ("127.0.0.1", "127.0.0.2"),
            ports: senderPorts,
            start: position,
            password: password,
            remoteControl: remote
        )
        configuration.nowPlaying = nowPlaying
        return SenderSession(configuration)
    }

    /// Carries requests and responses until the sender has nothing to send.
    private static func run(
        _ sender: inout SenderSession,
        _ receiver: inout ReceiverSession,
        isBusy: Bool = false
    ) throws -> (steps: [SenderSession.Step], outcomes: [ReceiverSession.Outcome]) {
        var result: (steps: [SenderSession.Step], outcomes: [ReceiverSession.Outcome]) = ([], [])
        while let request = sender.next() {
            let outcome = receiver.handle(request, isBusy: isBusy)
            result.outcomes.append(outcome)
            if let step = try sender.receive(outcome.response) { result.steps.append(step) }
        }
        return result
    }

    @Test func aStreamIsSetUpDescribedAndEnded() throws {
        var nowPlaying = NowPlaying()
        nowPlaying.track = TrackMetadata(title: "Song", artist: "Band", album: "Album")
        nowPlaying.artwork = Artwork(contentType: "image/png", bytes: [1, 2, 3])
        nowPlaying.volume = Volume(-12)
        nowPlaying.progress = PlaybackProgress(start: 8, current: 8, end: 44_108)
        var sender = Self.sender(nowPlaying)
        var receiver = Self.receiver()
        let (steps, outcomes) = try Self.run(&sender, &receiver)
        #expect(steps == [.play(Self.receiverPorts)])
        #expect(outcomes.map(\.response.status) == Array(repeating: .ok, count: outcomes.count))
        let events = outcomes.compactMap(\.event)
        #expect(events.first == .ready(SessionDescription(format: .pcm), Self.senderPorts))
        #expect(events.dropFirst().first == .started(Self.position))
        #expect(events.last == .nowPlaying(nowPlaying))
        #expect(receiver.remoteControl == Self.remote)
        #expect(receiver.hasStream)

        sender.flush(to: Self.position)
        sender.keepAlive()
        sender.tearDown()
        let end = try Self.run(&sender, &receiver)
        #expect(end.outcomes.compactMap(\.event) == [.flushed(Self.position), .ended])
        #expect(end.steps == [.ended])
        #expect(end.outcomes.last?.closesConnection == true)
        #expect(!receiver.hasStream)
    }

    @Test func aPasswordIsDemandedAndProved() throws {
        var sender = Self.sender(password: "secret")
        var receiver = Self.receiver(password: "secret")
        #expect(try Self.run(&sender, &receiver).steps == [.play(Self.receiverPorts)])
    }

    @Test(arguments: [(nil, SenderFailure.passwordRequired), ("wrong", .wrongPassword)])
    func aMissingOrWrongPasswordIsRefused(password: String?, expected: SenderFailure) {
        var sender = Self.sender(password: password)
        var receiver = Self.receiver(password: "secret")
        #expect(throws: expected) { try Self.run(&sender, &receiver) }
        #expect(!receiver.hasStream)
    }

    @Test func guessingPasswordsClosesTheConnection() throws {
        var receiver = Self.receiver(password: "secret")
        let header = #"Digest username="x", realm="raop", nonce="1", uri="*", response="2""#
        let request = RTSPRequest(.announce, "*", headers: ["Authorization": header])
        let outcomes = (0..<10).map { _ in receiver.handle(request, isBusy: false) }
        #expect(outcomes.map(\.closesConnection) == Array(repeating: false, count: 9) + [true])
        #expect(outcomes.allSatisfy { $0.problem == .wrongPassword })
    }

    @Test func aSecondSenderIsRefused() {
        var sender = Self.sender()
        var receiver = Self.receiver()
        #expect(throws: SenderFailure.receiverBusy) { try Self.run(&sender, &receiver, isBusy: true) }
        #expect(!receiver.hasStream)
    }

    @Test func requestsInTheWrongOrderAreRefused() {
        for method in [RTSPMethod.setup, .record, .flush, .setParameter] {
            var receiver = Self.receiver()
            let outcome = receiver.handle(RTSPRequest(method, "*"), isBusy: false)
            #expect(outcome.response.status == .invalidState)
            #expect(outcome.problem == .wrongOrder)
        }
    }

    @Test func malformedParametersChangeNothing() throws {
        var sender = Self.sender()
        var receiver = Self.receiver()
        _ = try Self.run(&sender, &receiver)
        let before = receiver.nowPlaying
        for (type, body) in [
            ("application/x-dmap-tagged", "mlit\u{0}\u{0}\u{0}\u{7f}"), ("text/parameters", "volume: x"),
            ("text/x", ""),
        ] {
            let request = RTSPRequest(.setParameter, "*", headers: ["Content-Type": type], body: Array(body.utf8))
            let outcome = receiver.handle(request, isBusy: false)
            #expect(outcome.problem != nil)
            #expect(outcome.event == nil)
        }
        #expect(receiver.nowPlaying == before)
        // The stream goes on.
        sender.keepAlive()
        #expect(try Self.run(&sender, &receiver).outcomes.map(\.response.status) == [.ok])
    }

    @Test func aStreamIsHalfOpenUntilItPlays() throws {
        var sender = Self.sender()
        var receiver = Self.receiver()
        var states: [Bool] = []
        while let request = sender.next() {
            _ = try sender.receive(receiver.handle(request, isBusy: false).response)
            states.append(receiver.isHalfOpen)
        }
        // ANNOUNCE, SETUP and RECORD.
        #expect(states.prefix(3) == [true, true, false])
        #expect(!states.dropFirst(3).contains(true))
        _ = receiver.close()
        #expect(!receiver.isHalfOpen)
    }

    @Test func aClosedConnectionEndsTheStream() throws {
        var sender = Self.sender()
        var receiver = Self.receiver()
        _ = try Self.run(&sender, &receiver)
        #expect(receiver.close() == .ended)
        #expect(receiver.close() == nil)
    }

    @Test func resultsOfCommandsHaveStatuses() {
        let results: [RemoteCommand.Result] = [.success, .noSuchContent, .noActionableItem, .deviceNotFound, .failed]
        #expect(results.map(\.status.rawValue) == [204, 404, 409, 503, 500])
    }

    @Test func commandsNeedTheToken() {
        func answer(_ path: String, token: String?, _ method: RTSPMethod = .get) -> RemoteCommand.Answer {
            var headers: HTTPHeaders = [:]
            if let token { headers.add("Active-Remote", token) }
            return RemoteCommand.answer(RTSPRequest(method, path, headers: headers), token: "77")
        }
        #expect(answer("/ctrl-int/1/playpause", token: "77") == .command(RemoteCommand(rawValue: "playpause")))
        #expect(answer("/ctrl-int/1/playpause", token: "78") == .refusal(.unauthorized))
        #expect(answer("/ctrl-int/1/playpause", token: nil) == .refusal(.unauthorized))
        #expect(answer("/ctrl-int/1/format-disk", token: "77") == .refusal(.notFound))
        #expect(answer("/playpause", token: "77") == .refusal(.notFound))
        #expect(answer("/ctrl-int/1/stop", token: "77", .post) == .refusal(.methodNotAllowed))
    }
}
