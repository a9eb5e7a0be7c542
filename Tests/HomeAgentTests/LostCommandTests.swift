import Foundation
import HubAPI
import PeerProcess
import Testing

@testable import HomeAgent

/// What becomes of a command whose reply was lost, as values.
@Suite struct LostCommandTests {
    private let hub = UUID()
    private let run = UUID()
    private static let hello = Hello(app: "com.example.lights", purpose: "Tests.")

    private static func request(_ id: Int = 1, key: UUID? = UUID()) -> HubRequest {
        HubRequest(id: id, method: HubMethods.write.name, parameters: Data("{}".utf8), key: key)
    }

    private func command(_ request: HubRequest, isRelayed: Bool = true) -> LostCommand {
        LostCommand(
            request: request,
            hub: hub,
            hello: Self.hello,
            run: run,
            sent: 0,
            isRelayed: isRelayed
        )
    }

    private func view(_ commands: LostCommands = LostCommands()) -> SessionView {
        SessionView(
            load: { [] },
            choices: { AccountChoices(lineage: UUID(), revision: 0) },
            notices: { [] },
            questions: { [] },
            former: { _, _ in .unknown },
            lost: { commands[$0] },
            now: { 0 }
        )
    }

    /// The requests that are sent, the codes of the errors that the client gets, and the names of the other actions.
    private static func text(_ actions: [SessionAction]?) -> [String]? {
        actions?.map { action in
            switch action {
            case .send(let request, let connection): "send \(request.id) on \(connection)"
            case .deliver(.reply(let id, let reply)):
                if case .failure(let error) = reply.result { "\(id): \(error.code.rawValue)" } else { "\(id): done" }
            case .startAnswerTimeout: "count"
            case .lose(let commands): "lose \(commands.map(\.request.id))"
            case .settle: "settle"
            default: "\(action)"
            }
        }
    }

    @Test func aCommandFromAwayHasATimeAndOneOnTheNetworkHasNone() {
        var commands = SentCommands(Self.hello)
        #expect(
            Self.text(commands.send(Self.request(), on: 7, to: hub, in: run, isRelayed: true, view())) == [
                "send 1 on 7", "count",
            ]
        )
        #expect(
            Self.text(commands.send(Self.request(2), on: 7, to: hub, in: run, isRelayed: false, view())) == [
                "send 2 on 7"
            ]
        )
        // What changes nothing has no key, and can be asked again at any time.
        let reading = Self.request(3, key: nil)
        #expect(Self.text(commands.send(reading, on: 7, to: hub, in: run, isRelayed: true, view())) == ["send 3 on 7"])
        #expect(Self.text(commands.answer(1, .reply(id: 1, .success(Data())))) == ["1: done"])
        // Those without an answer are lost with the connection.
        #expect(Self.text(commands.lose(UUID())) == [])
        #expect(Self.text(commands.lose(hub)) == ["lose [2]"])
        #expect(Self.text(commands.lose(hub)) == [])
    }

    @Test func aCommandThatIsAskedAgainWaitsForTheHub() {
        var (lost, commands) = (LostCommands(), SentCommands(Self.hello))
        let request = Self.request()
        _ = lost.add(command(request))
        #expect(Self.text(commands.hold(Self.request(2), for: hub, view(lost))) == nil)
        #expect(Self.text(commands.hold(request, for: hub, view(lost))) == [])
        #expect(commands.holds(for: hub) && !commands.holds(for: UUID()))
        let again = commands.release(for: hub, on: 8, in: run, isRelayed: true, view(lost))
        #expect(Self.text(again) == ["send 1 on 8"])
        #expect(!commands.holds(for: hub))
        #expect(Self.text(commands.answer(1, .reply(id: 1, .success(Data())))) == ["settle", "1: done"])
    }

    @Test func anOutcomeIsNotKnownIfNoHubLeadsOnceACommandIsAskedAgain() {
        var (lost, commands) = (LostCommands(), SentCommands(Self.hello))
        let (request, new) = (Self.request(), Self.request(2))
        _ = lost.add(command(request))
        _ = commands.send(request, on: 8, to: hub, in: run, isRelayed: false, view(lost))
        _ = commands.send(new, on: 8, to: hub, in: run, isRelayed: false, view(lost))
        let refusal = HubReply.failure(HubError(.noLeader, "The other hub leads."))
        // The hub that got it first may have had the other's agreement. What is new wasn't done.
        #expect(Self.text(commands.answer(1, .reply(id: 1, refusal))) == ["settle", "1: outcomeUnknown"])
        #expect(Self.text(commands.answer(2, .reply(id: 2, refusal))) == ["2: noLeader"])
    }

    @Test func aHubThatHasStartedAgainIsNotAskedAgain() {
        var (lost, commands) = (LostCommands(), SentCommands(Self.hello))
        let request = Self.request()
        _ = lost.add(command(request))
        _ = commands.hold(request, for: hub, view(lost))
        let again = commands.release(for: hub, on: 8, in: UUID(), isRelayed: true, view(lost))
        #expect(Self.text(again) == ["1: outcomeUnknown"])
    }

    @Test func aCommandOfTheNetworkIsNotAskedAgainFromAway() {
        // It has no time after which it isn't done, so asked again it could be done late.
        var (lost, commands) = (LostCommands(), SentCommands(Self.hello))
        let request = Self.request()
        _ = lost.add(command(request, isRelayed: false))
        #expect(Self.text(commands.hold(request, for: hub, view(lost))) == ["1: outcomeUnknown"])
        let told = request.key.flatMap { lost.tell($0) }
        #expect(told != nil && request.key.flatMap { lost[$0] } == nil)
    }

    @Test func peopleAreToldOnceAndTheReplyThatComesLaterIsNotForTheClient() throws {
        var commands = SentCommands(Self.hello)
        let (request, key) = (Self.request(), UUID())
        _ = commands.send(request, on: 7, to: hub, in: run, isRelayed: true, view())
        #expect(Self.text(commands.answerIsDue(key)) == [])
        let own = try #require(request.key)
        #expect(Self.text(commands.answerIsDue(own)) == ["lose [1]", "1: outcomeUnknown"])
        #expect(Self.text(commands.answerIsDue(own)) == [])
        #expect(Self.text(commands.answer(1, .reply(id: 1, .success(Data())))) == [])
        // The number may be used again.
        _ = commands.send(Self.request(), on: 7, to: hub, in: run, isRelayed: true, view())
        #expect(Self.text(commands.answer(1, .reply(id: 1, .success(Data())))) == ["1: done"])
    }

    @Test func peopleAreToldOfACommandThatWaitsForTheHub() throws {
        var (lost, commands) = (LostCommands(), SentCommands(Self.hello))
        let request = Self.request()
        _ = lost.add(command(request))
        _ = commands.hold(request, for: hub, view(lost))
        let own = try #require(request.key)
        #expect(Self.text(commands.answerIsDue(own)) == ["1: outcomeUnknown"])
        #expect(!commands.holds(for: hub))
        // Who asks once more then need not wait.
        _ = request.key.flatMap { lost.tell($0) }
        #expect(Self.text(commands.hold(request, for: hub, view(lost))) == ["1: outcomeUnknown"])
    }

    @Test func aHubIsAskedOnceAtATimeAboutWhatPeopleWereTold() throws {
        var lost = LostCommands()
        let (request, other) = (Self.request(), Self.request(2))
        let key = try #require(request.key)
        let areNew = [request, request, other].map { lost.add(command($0)) }
        #expect(areNew == [true, false, true])
        var taken = lost.take(for: hub).count
        #expect(taken == 0)
        let told = [lost.tell(key), lost.tell(key)].map { $0?.request }
        #expect(told == [request, nil])
        taken = lost.take(for: UUID()).count
        #expect(taken == 0)
        let again = [lost.take(for: hub), lost.take(for: hub)].map { $0.map(\.request) }
        #expect(again == [[request], []])
        lost.release(key)
        taken = lost.take(for: hub).count
        #expect(taken == 1)
        lost.settle(key)
        taken = lost.take(for: hub).count
        #expect(lost[key] == nil && taken == 0)
        lost.forget(hub)
        #expect(other.key.flatMap { lost[$0] } == nil)
    }

    @Test func whatIsRememberedIsBounded() throws {
        var lost = LostCommands()
        let first = Self.request()
        _ = lost.add(command(first))
        for _ in 1..<AgentLimits.lostCommands { _ = lost.add(command(Self.request())) }
        let key = try #require(first.key)
        #expect(lost[key] != nil)
        _ = lost.add(command(Self.request()))
        #expect(lost[key] == nil)
        var commands = SentCommands(Self.hello)
        for _ in 0..<AgentLimits.lostCommands {
            let request = Self.request()
            var one = LostCommands()
            _ = one.add(command(request))
            let actions = commands.hold(request, for: hub, view(one))
            #expect(actions?.isEmpty == true)
        }
        var one = LostCommands()
        _ = one.add(command(first))
        #expect(Self.text(commands.hold(first, for: hub, view(one))) == ["1: outcomeUnknown"])
    }

    @Test func aSessionThatCouldNotBeOpenedIsOpenedLaterThoughTheHubWasThereAllTheTime() async throws {
        try await AgentLab.run { lab in
            let direct = lab.direct()
            try await direct.welcome()
            let home = try await direct.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await lab.copyHas(try direct.state.canonical)
            lab.way.block()
            let app = lab.app()
            try await app.welcome()
            #expect(app.state.awayHomes == [home])
            lab.way.mend()
            let reading = ReadCharacteristics(home: home, characteristics: [])
            try await Wait.until("the hub is reached") { await app.refusal(HubMethods.read, reading) == nil }
            try await app.until { $0.awayHomes.isEmpty }
        }
    }

    @Test func whoeverWantsAHubThatIsOutOfReachNeedNotWaitForTheNextTry() async throws {
        let pause = Duration.seconds(3_600)
        try await AgentLab.run(retry: WakeableRetryPolicy(shortest: pause, longest: pause)) { lab in
            lab.way.cut()
            try await lab.away()
            lab.way.mend()
            let app = lab.app()
            try await app.welcome()
            let reading = ReadCharacteristics(home: UUID(), characteristics: [])
            #expect(await app.refusal(HubMethods.read, reading) == .hubAway)
            try await lab.nearAgain()
        }
    }
}
