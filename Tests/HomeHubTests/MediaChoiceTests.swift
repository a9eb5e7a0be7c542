import AirPlay
import AirPlayNetwork
import DNSSD
import Foundation
import HAP
import HubAPI
import Logging
import MediaRouting
import PeerProcess
import Testing

@testable import HomeHub

/// The choice of receivers: several in step, and those that need a password or a PIN.
@Suite(.serialized) struct MediaChoiceTests {
    /// A hub, the hub's own user, and the file with the choice.
    private struct Fixture {
        let file: RouteFile
        let client: RecordingHubClient

        /// Chooses a receiver. Returns the error's code, or `nil`.
        func choose(
            _ name: String?,
            _ change: ChooseRoute.Change? = .add,
            password: String? = nil,
            reference: String? = nil
        ) async throws -> String? {
            let choice = ChooseRoute(name, change: change, password: password, reference: reference)
            return try await client.refusal(HubMethods.chooseRoute, choice)
        }

        /// Waits for a number of questions, and returns the last one.
        func question(_ count: Int) async throws -> Question {
            try await client.untilEvents { $0.count { $0 == .asked } >= count }
            return try #require(client.questions.dropFirst(count - 1).first)
        }

        func answer(_ question: Question, _ answer: String) async throws -> String? {
            try await client.refusal(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: answer))
        }

        var names: [String] { file.choice.receivers.map(\.name) }
    }

    private func withFixture(_ body: (Fixture) async throws -> Void) async throws {
        try await withDataFolder { folder in
            let file = RouteFile(path: folder.appending(path: "route.json").path)
            var configuration = HubConfiguration(data: folder.appending(path: "hub"), interfaces: [.loopback])
            configuration.route = file
            configuration.log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let hub = try await HomeHub(configuration)
            let result: Result<Void, any Error>
            do {
                let client = try await RecordingHubClient(to: hub)
                _ = try await client.call(HubMethods.questions, Empty())
                result = .success(try await body(Fixture(file: file, client: client)))
            } catch {
                result = .failure(error)
            }
            await hub.stop()
            try result.get()
        }
    }

    /// Advertises a receiver that needs a password or a PIN, and waits until the client has found it.
    ///
    /// - Parameter show: A closure that takes the PINs that the receiver shows. Without it, its PIN is a fixed one.
    private func withReceiver(
        pin: String? = nil,
        password: String? = nil,
        show: (@Sendable (PairingPIN) -> Void)? = nil,
        _ body: (Fixture, _ name: String, AirPlayReceiver) async throws -> Void
    ) async throws {
        try await withFixture { fixture in
            let name = "Room \(UUID().uuidString.prefix(8))"
            var random = SystemRandomNumberGenerator()
            var record = ReceiverRecord(deviceID: ReceiverRecord.deviceID(of: name), name: name)
            record.needsPassword = password != nil
            var configuration = AirPlayReceiver.Configuration(address: "127.0.0.1", password: password)
            let admission =
                show == nil ? pin.flatMap { PairingPIN($0) }.map { .pin($0) } : ReceiverPairings.Admission.shownPIN
            if let admission {
                let identity = AccessoryIdentity.random(using: &random)
                record.addAirPlay2(identity, needsPIN: true)
                let pairings = ReceiverPairings(identity: identity, admission: admission, using: &random)
                configuration.airPlay2 = (record, pairings)
            }
            let handlers = ReceiverHandlers { _ in
            } pairing: { event in
                if case .pinNeeded(let pin, _) = event { show?(pin) }
            }
            let receiver = AirPlayReceiver(configuration, handlers: handlers)
            let port = try await receiver.start()
            let discovery = try await MulticastDNS(interfaces: [.loopback])
            let result: Result<Void, any Error>
            do {
                let entries = record.txt.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) }
                _ = try await discovery.advertise(
                    ServiceAdvertisement(
                        instanceName: record.instanceName,
                        type: try ServiceType(ReceiverRecord.serviceType),
                        port: UInt16(port),
                        txt: TXTRecord(entries: entries),
                        addresses: [try #require(IPAddress("127.0.0.1"))]
                    )
                )
                _ = try await fixture.client.call(HubMethods.startBrowsingMedia, Empty())
                let client = fixture.client
                try await Wait.until("the receiver is found") {
                    client.receivers.contains {
                        $0.name == name && $0.needsPIN == (admission != nil) && $0.needsPassword == (password != nil)
                    }
                }
                result = .success(try await body(fixture, name, receiver))
            } catch {
                result = .failure(error)
            }
            await discovery.shutdown()
            await receiver.stop()
            try result.get()
        }
    }

    // MARK: Several receivers

    @Test func severalReceiversAreChosenInStep() async throws {
        try await withFixture { (fixture) async throws in
            #expect(try await fixture.choose("Kitchen") == nil)
            #expect(try await fixture.choose("Bath") == nil)
            #expect(try await fixture.choose("Kitchen") == nil)
            #expect(fixture.names == ["Kitchen", "Bath"])
            #expect(try await fixture.choose("Kitchen", .remove) == nil)
            #expect(try await fixture.choose("Attic", .remove) == nil)
            #expect(fixture.names == ["Bath"])
            #expect(try await fixture.choose("Kitchen", password: "secret") == nil)
            #expect(fixture.file.choice.password(of: "Kitchen") == "secret")
            #expect(try await fixture.choose("Attic", nil) == nil)
            #expect(fixture.names == ["Attic"])
            #expect(try await fixture.choose(nil, nil) == nil)
            #expect(fixture.names.isEmpty)
            #expect(try await fixture.choose(nil, .add) == "invalidParameter")
            #expect(try await fixture.choose(nil, .remove) == "invalidParameter")
        }
    }

    @Test func whatTheCommandLineHasChosenStays() async throws {
        try await withFixture { fixture in
            let receiver = RouteChoice.Receiver(name: "Kitchen", host: "127.0.0.1", port: 7_000)
            try fixture.file.write(RouteChoice([receiver], interfaces: ["127.0.0.1"]))
            #expect(try await fixture.choose("Bath") == nil)
            #expect(try await fixture.choose("Bath", .remove) == nil)
            #expect(fixture.file.choice == RouteChoice([receiver], interfaces: ["127.0.0.1"]))
        }
    }

    @Test func asManyReceiversAreChosenAsCanPlayInStep() async throws {
        try await withFixture { (fixture) async throws in
            let names = (0..<AirPlayGroup.memberLimit).map { "Room \($0)" }
            for name in names { #expect(try await fixture.choose(name) == nil) }
            #expect(try await fixture.choose("One More") == "limitExceeded")
            #expect(try await fixture.choose("Room 3") == nil)
            #expect(fixture.names == names)
            #expect(try await fixture.choose("Room 3", .remove) == nil)
            #expect(try await fixture.choose("One More") == nil)
        }
    }

    @Test func referencesAreBounded() async throws {
        try await withFixture { (fixture) async throws in
            let longest = String(repeating: "x", count: SetUpAccessories.referenceLength)
            #expect(try await fixture.choose("Kitchen", reference: longest) == nil)
            #expect(try await fixture.choose("Bath", reference: longest + "x") == "invalidParameter")
            #expect(fixture.names == ["Kitchen"])
        }
    }

    // MARK: PINs

    @Test func aPINIsAskedForUntilItIsRightAndNotAgain() async throws {
        try await withReceiver(pin: "1234") { fixture, name, _ in
            async let outcome = fixture.choose(name, reference: "mine")
            let first = try await fixture.question(1)
            #expect(first.kind == .receiverPIN && first.reference == "mine" && first.triesLeft == nil)
            #expect(first.text.contains(name))
            #expect(try await fixture.answer(first, "12345") == "invalidAnswer")
            #expect(try await fixture.answer(first, "9999") == nil)
            let second = try await fixture.question(2)
            #expect(second.kind == .receiverPIN && second.triesLeft == 2)
            #expect(fixture.names.isEmpty)
            #expect(try await fixture.answer(second, "1234") == nil)
            #expect(try await outcome == nil)
            #expect(fixture.names == [name])
            // It knows us now.
            #expect(try await fixture.choose(name, .remove) == nil)
            #expect(try await fixture.choose(name) == nil)
            #expect(fixture.client.questions.count == 2)
            let pairings = try AirPlayPairingFile(sendersAt: fixture.file.pairingsPath)
            #expect(pairings.pairings.count == 1)
        }
    }

    @Test func aReceiverThatShowsAnotherPINAfterAWrongOneIsPaired() async throws {
        let shown = AwaitableValue<[PairingPIN]>([])
        try await withReceiver(show: { pin in shown.change { $0.append(pin) } }) { fixture, name, _ in
            async let outcome = fixture.choose(name)
            let first = try await fixture.question(1)
            let pin = try #require(shown.value.last)
            #expect(try await fixture.answer(first, pin.digits == "0000" ? "0001" : "0000") == nil)
            let second = try await fixture.question(2)
            #expect(shown.value.count == 2)
            #expect(try await fixture.answer(second, try #require(shown.value.last).digits) == nil)
            #expect(try await outcome == nil)
            #expect(fixture.names == [name])
        }
    }

    @Test func pairingsOfTwoProgramsAreBothKept() async throws {
        try await withDataFolder { folder in
            let path = folder.appending(path: "pairings.json").path
            let programs = try (0..<2).map { _ in SenderPairings(try AirPlayPairingFile(sendersAt: path)) }
            for (number, program) in programs.enumerated() {
                let id = try #require(PairingID("receiver \(number)"))
                let peer = PairedPeer(id: id, publicKey: LongTermKeyPair.random().publicKey)
                program.access(.full, receiver: "Room").keep(peer)
            }
            let ids = try AirPlayPairingFile(sendersAt: path).pairings.map(\.id.description)
            #expect(ids == ["receiver 0", "receiver 1"])
        }
    }

    @Test func threeWrongPINsEndTheChoice() async throws {
        try await withReceiver(pin: "1234") { fixture, name, _ in
            async let outcome = fixture.choose(name)
            for number in 1...ReceiverPrompts.attemptLimit {
                let question = try await fixture.question(number)
                #expect(question.triesLeft == (number > 1 ? ReceiverPrompts.attemptLimit + 1 - number : nil))
                #expect(try await fixture.answer(question, "9999") == nil)
            }
            #expect(try await outcome == "wrongPIN")
            #expect(fixture.names.isEmpty)
        }
    }

    @Test func aDeclinedPINChangesNothing() async throws {
        try await withReceiver(pin: "1234") { fixture, name, _ in
            async let outcome = fixture.choose(name)
            let question = try await fixture.question(1)
            _ = try await fixture.client.call(HubMethods.declineQuestion, QuestionTarget(id: question.id))
            #expect(try await outcome == "operationCancelled")
            #expect(fixture.names.isEmpty)
        }
    }

    @Test func aReceiverThatEndsWhileItsPINIsAskedForClosesTheQuestion() async throws {
        try await withReceiver(pin: "1234") { fixture, name, receiver in
            async let outcome = fixture.choose(name)
            _ = try await fixture.question(1)
            await receiver.stop()
            #expect(try await outcome == "receiverFailed")
            try await fixture.client.untilEvents { $0.contains(.questionClosed) }
            #expect(fixture.names.isEmpty)
        }
    }

    // MARK: Passwords

    @Test func aPasswordIsAskedForUntilItIsRightAndNotAgain() async throws {
        try await withReceiver(password: "secret") { fixture, name, _ in
            async let outcome = fixture.choose(name, reference: "mine")
            let first = try await fixture.question(1)
            #expect(first.kind == .receiverPassword && first.reference == "mine" && first.triesLeft == nil)
            #expect(first.fields.map(\.isSecret) == [true])
            let tooLong = String(repeating: "x", count: MediaManager.textLimit + 1)
            #expect(try await fixture.answer(first, tooLong) == "invalidAnswer")
            #expect(try await fixture.answer(first, "wrong") == nil)
            let second = try await fixture.question(2)
            #expect(second.triesLeft == 2)
            #expect(try await fixture.answer(second, "secret") == nil)
            #expect(try await outcome == nil)
            #expect(fixture.names == [name] && fixture.file.choice.password(of: name) == "secret")
            #expect(try await fixture.choose(name, .remove) == nil)
            #expect(try await fixture.choose(name) == nil)
            #expect(fixture.client.questions.count == 2)
        }
    }

    @Test func aPasswordThatTheClientGivesIsTriedOnce() async throws {
        try await withReceiver(password: "secret") { (fixture, name, _) async throws in
            #expect(try await fixture.choose(name, password: "wrong") == "wrongReceiverPassword")
            #expect(fixture.names.isEmpty && fixture.file.choice.password(of: name) == nil)
            #expect(try await fixture.choose(name, password: "secret") == nil)
            #expect(fixture.names == [name] && fixture.file.choice.password(of: name) == "secret")
            #expect(fixture.client.questions.isEmpty)
        }
    }

    @Test func aPasswordThatHasChangedIsAskedForAgain() async throws {
        try await withReceiver(password: "new") { fixture, name, _ in
            var choice = RouteChoice()
            choice.setPassword("old", of: name)
            try fixture.file.write(choice)
            async let outcome = fixture.choose(name)
            let question = try await fixture.question(1)
            #expect(question.triesLeft == nil)
            #expect(try await fixture.answer(question, "new") == nil)
            #expect(try await outcome == nil)
            #expect(fixture.file.choice.password(of: name) == "new")
        }
    }
}

extension RecordingHubClient {
    /// The questions received so far.
    fileprivate var questions: [Question] {
        messages.compactMap { message in
            if case .event(.asked(let question)) = message { question } else { nil }
        }
    }

    /// The receivers that the last state names.
    fileprivate var receivers: [MediaReceiver] {
        messages.compactMap { message in
            if case .event(.media(let state)) = message { state.receivers } else { nil }
        }.last ?? []
    }
}
