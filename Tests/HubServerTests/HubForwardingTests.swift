import AccessorySimulator
import Foundation
import HAP
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import PeerProcess
import Synchronization
import Testing

@testable import HomeHub
@testable import HubServer

/// What a hub that follows does for its clients, while the other one leads.
@Suite(.onePairAtATime) struct HubForwardingTests {
    /// A client that follows the homes.
    private struct Client: Sendable {
        let connection: HubConnection
        let view: AwaitableValue<HubState>
        /// What came, in order: changes of the homes, and whether they count as the client's own.
        let changes: AwaitableValue<[Bool]>

        init(to hub: RunningHub, as authority: SessionAuthority? = nil) async throws {
            let (view, changes) = (AwaitableValue(HubState()), AwaitableValue<[Bool]>([]))
            let transport = InProcessTransport(to: hub.hub, as: authority ?? hub.authority)
            connection = HubConnection(over: transport) { event in
                if case .change(let change) = event { changes.change { $0.append(change.isMine) } }
                view.change { $0.apply(event) }
            }
            _ = try await connection.call(HubMethods.hello, Hello(app: "hearth", purpose: "Tests."))
            (self.view, self.changes) = (view, changes)
        }

        /// Makes a call, and returns whether the client had the changes when the reply came. On a busy machine the hubs may
        /// lose touch; then the call is repeated.
        func reply<Parameters, Result>(
            to call: EncodedCall<Parameters, Result>
        ) async throws -> (result: Result, follows: [LogPlace], isShown: Bool) {
            while true {
                do {
                    return try await once(call)
                } catch let error as HubError where error.code == .noLeader {
                    continue
                }
            }
        }

        /// Makes a call once.
        func once<Parameters, Result>(
            _ call: EncodedCall<Parameters, Result>
        ) async throws -> (result: Result, follows: [LogPlace], isShown: Bool) {
            let (reply, follows, isShown) = await withCheckedContinuation { continuation in
                connection.call(call) { reply, follows in
                    continuation.resume(returning: (reply, follows, view.value.shows(follows)))
                }
            }
            return (try reply.get(), follows, isShown)
        }

        @discardableResult
        func call<Parameters, Result>(
            _ method: Method<Parameters, Result>,
            _ parameters: Parameters
        ) async throws -> Result {
            try await reply(to: EncodedCall(method, parameters, key: UUID())).result
        }

        func code<Parameters, Result>(
            _ method: Method<Parameters, Result>,
            _ parameters: Parameters
        ) async throws -> HubError.Code? {
            do {
                _ = try await call(method, parameters)
                return nil
            } catch {
                return (error as? HubError)?.code
            }
        }
    }

    /// Runs a body with two hubs that agree.
    static func withPair(
        _ body: (_ leader: RunningHub, _ follower: RunningHub, _ home: UUID) async throws -> Void
    ) async throws {
        try await RunningHub.withFolder { folder in
            let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
            let (port, home) = try await HubPairTests.join(two, one)
            try await RunningHub.start(one, port: port).run { first in
                try await RunningHub.start(two).run { second in
                    let (leader, follower) = try await Self.roles(first, second)
                    try await body(leader, follower, home)
                }
            }
        }
    }

    /// Waits until one hub leads and the other one follows.
    static func roles(_ first: RunningHub, _ second: RunningHub) async throws -> (RunningHub, RunningHub) {
        var found: (RunningHub, RunningHub)?
        try await Wait.until("one hub leads, and the other one follows") {
            for (one, other) in [(first, second), (second, first)] {
                if await one.leads, await other.follows { found = (one, other) }
            }
            return found != nil
        }
        return try #require(found)
    }

    private static func rooms(_ home: UUID, at hub: RunningHub) async -> [String] {
        await hub.hub.database.stored.homes[home]?.rooms.map(\.name).sorted() ?? []
    }

    @Test func aClientOfAFollowerSeesItsChangeBeforeTheReply() async throws {
        try await Self.withPair { leader, follower, home in
            let client = try await Client(to: follower)
            for index in 0..<10 {
                let call = try EncodedCall(
                    HubMethods.addRoom,
                    InHome(home, AddRoom(name: "Room \(index)")),
                    key: UUID()
                )
                let (added, follows, isShown) = try await client.reply(to: call)
                // A repeat of what was done before the hubs lost touch says nothing of the change.
                #expect(isShown && follows.count <= 1)
                #expect(await follower.hub.database.stored.homes[home]?.rooms[id: added.id] != nil)
            }
            #expect(client.changes.value == Array(repeating: true, count: 10))
            // The log names the client.
            var start = await leader.hub.database.stored.cursor(.home(home))
            start.revision = 1
            let entries = try #require(try await leader.hub.store.entries(of: .home(home), after: start))
            #expect(entries.count == 10)
            #expect(Set(entries.map(\.entry.caller.app)) == ["hearth"])
            client.connection.close()
        }
    }

    @Test func requestsInARowAreCarriedOutInOrder() async throws {
        try await Self.withPair { _, follower, home in
            let client = try await Client(to: follower)
            let names = (0..<50).map { String(format: "Room %02d", $0) }
            let replies = AwaitableValue<[Int]>([])
            for (index, name) in names.enumerated() {
                let call = try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: name)), key: UUID())
                client.connection.call(call) { reply, _ in
                    if case .success = reply { replies.change { $0.append(index) } }
                }
            }
            _ = try await replies.until { $0.count == names.count }
            #expect(replies.value.sorted() == Array(names.indices))
            #expect(await follower.hub.database.stored.homes[home]?.rooms.map(\.name) == names)
            client.connection.close()
        }
    }

    @Test func aRepeatAtEitherHubGetsTheFirstReply() async throws {
        try await Self.withPair { leader, follower, home in
            let call = try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")), key: UUID())
            let other = try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: "Loft")), key: call.key)
            var replies: Set<UUID> = []
            for hub in [follower, leader, follower] {
                let client = try await Client(to: hub)
                replies.insert(try await client.reply(to: call).result.id)
                await #expect(throws: HubError.self) { try await client.reply(to: other) }
                client.connection.close()
            }
            #expect(replies.count == 1)
            #expect(await Self.rooms(home, at: follower) == ["Attic"])
        }
    }

    @Test func theLeaderChecksTheRightsOfAFollowersClient() async throws {
        try await Self.withPair { leader, follower, home in
            let owner = try await Client(to: follower)
            let person = AddHomeUser(home: home, name: "Ann", role: .guest)
            _ = try await owner.call(HubMethods.addUser, person)
            let ann = try #require(await leader.hub.database.home(home)?.users.first { $0.name == "Ann" }?.id)
            let guest = SessionAuthority(user: ann, device: UUID(), client: .person)
            let client = try await Client(to: follower, as: guest)
            let room = InHome(home, AddRoom(name: "Attic"))
            #expect(try await client.code(HubMethods.addRoom, room)?.rawValue == "insufficientPrivileges")
            // What the leader refuses comes as it is.
            _ = try await owner.call(HubMethods.addRoom, room)
            #expect(try await owner.code(HubMethods.addRoom, room)?.rawValue == "nameTaken")
            for client in [owner, client] { client.connection.close() }
        }
    }

    @Test func peopleAnswerQuestionsAtAFollower() async throws {
        try await Self.withPair { leader, follower, home in
            let (questions, asked) = AsyncStream.makeStream(of: Question.self)
            let screen = try await follower.owner { event in
                if case .asked(let question) = event { asked.yield(question) }
            }
            _ = try await screen.call(HubMethods.questions, Empty())
            let client = try await Client(to: follower)
            async let added = client.reply(to: EncodedCall(HubMethods.inviteUser, HomeTarget(home: home), key: UUID()))
            let question = try #require(await questions.first { $0.kind == .invitation })
            _ = try await screen.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: "Ann"))
            #expect(try await added.isShown)
            #expect(await leader.hub.database.home(home)?.users.contains { $0.name == "Ann" } == true)
            _ = try await client.call(HubMethods.denyApp, AppTarget(id: "com.example.lights"))
            let user = leader.hub.owner.user
            #expect(await leader.hub.database.app("com.example.lights", of: user)?.isAllowed == false)
            screen.close()
            client.connection.close()
        }
    }

    @Test func aFollowerPairsAnAccessoryThatBothHubsControl() async throws {
        try await RunningHub.withFolder { folder in
            try await HubLinkServiceTests.withLamp(in: folder) { lamp in
                try await Self.withPair { leader, follower, home in
                    let client = try await Client(to: follower)
                    let request = AddAccessory(
                        home: home,
                        deviceID: lamp.deviceID.description,
                        code: lamp.setupCode.dashed
                    )
                    _ = try await client.call(HubMethods.addAccessory, request)
                    #expect(await leader.hub.database.home(home)?.accessories.count == 1)
                    try await leader.reaches(lamp.deviceID)
                    let id = try #require(await leader.hub.database.home(home)?.accessories.first?.id)
                    _ = try await client.call(HubMethods.removeAccessory, InHome(home, RemoveAccessory(id)))
                    for (name, hub) in [("leader", leader), ("follower", follower)] {
                        try await Wait.until("the \(name) has let go of the lamp") {
                            await hub.hub.connections.links[lamp.deviceID] == nil
                        }
                    }
                    client.connection.close()
                }
            }
        }
    }

    @Test func aRequestWaitsForALeaderAndSaysWhenThereIsNone() async throws {
        try await RunningHub.withFolder { folder in
            let (one, two) = (folder.appending(path: "one"), folder.appending(path: "two"))
            let (port, home) = try await HubPairTests.join(two, one)
            try await RunningHub.start(one, port: port).run { first in
                let client = try await Client(to: first)
                // Nobody votes with this hub.
                let call = try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")), key: UUID())
                let error = await #expect(throws: HubError.self) { try await client.once(call) }
                #expect(error?.code == .noLeader)
                try await RunningHub.start(two).run { second in
                    _ = try await Self.roles(first, second)
                    // The same request under the same key is decided now.
                    _ = try await client.reply(to: call)
                    #expect(await Self.rooms(home, at: first) == ["Attic"])
                    try await Wait.until("the other hub has the room") {
                        await Self.rooms(home, at: second) == ["Attic"]
                    }
                }
                client.connection.close()
            }
        }
    }
}
