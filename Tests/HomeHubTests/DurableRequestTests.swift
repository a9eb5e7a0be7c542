import AccessorySimulator
import Foundation
import HAP
import HomeModel
import HubAPI
import PeerProcess
import Synchronization
import Testing

@testable import HomeHub
@testable import HomeKit

/// A hub that restarted recognizes the repeated requests of its clients.
struct DurableRequestTests {
    /// One of a series of requests, each made twice. Returns a description of the result.
    private typealias Step = @Sendable (KeyedClient) async throws -> String

    // MARK: After a restart

    @Test func everyDurableMethodHasTheReceiptsOfItsRequestsStored() async throws {
        try await withHub { hub in
            let durable = try MethodSource.durable
            #expect(hub.router.durableMethods == durable)
        }
    }

    @Test func whatWasDoneIsNotDoneAgainAndHasTheFirstResult() async throws {
        try await withDataFolder { folder in
            let steps = Mutex<[Step]>([])
            let (first, revisions) = try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                var results: [String] = []
                func make<Parameters, Result>(
                    _ method: Method<Parameters, Result>,
                    _ parameters: Parameters
                ) async throws -> Result {
                    let call = try EncodedCall(method, parameters, key: UUID())
                    steps.withLock { $0.append { "\(method.name): \(try await $0.make(call))" } }
                    let result = try await client.make(call)
                    results.append("\(method.name): \(result)")
                    return result
                }
                let home = try await make(HubMethods.addHome, AddHome(name: "Villa")).id
                let hut = try await make(HubMethods.addHome, AddHome(name: "Hut")).id
                let kitchen = try await make(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen"))).id
                let study = try await make(HubMethods.addRoom, InHome(home, AddRoom(name: "Study"))).id
                let rename = InHome(home, RenameRoom(kitchen, name: "Cuisine"))
                _ = try await make(HubMethods.renameRoom, rename)
                let zone = try await make(HubMethods.addZone, InHome(home, AddZone(name: "Up"))).id
                _ = try await make(HubMethods.addRoomToZone, InHome(home, AddRoomToZone(room: study, zone: zone)))
                let ann = try await make(HubMethods.addUser, AddHomeUser(home: home, name: "Ann", role: .guest)).id
                _ = try await make(HubMethods.setRole, InHome(home, SetRole(.administrator, of: ann)))
                _ = try await make(HubMethods.removeUser, InHome(home, RemoveUser(ann)))
                _ = try await make(HubMethods.addServiceGroup, InHome(home, AddServiceGroup(name: "Lights")))
                _ = try await make(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Night")))
                _ = try await make(HubMethods.removeRoom, InHome(home, RemoveRoom(study)))
                _ = try await make(HubMethods.setPrimaryHome, HomeTarget(home: hut))
                _ = try await make(HubMethods.renameHome, RenameHome(home: home, name: "Palace"))
                _ = try await make(HubMethods.denyApp, AppTarget(id: "com.example.lights"))
                _ = try await make(HubMethods.forgetApp, AppTarget(id: "com.example.lights"))
                _ = try await make(HubMethods.removeHome, HomeTarget(home: hut))
                return (results, client.view.value.seen)
            }
            for _ in 0..<2 {
                try await withHub(at: folder) { hub in
                    let client = try await KeyedClient(to: hub)
                    var results: [String] = []
                    for step in steps.withLock(\.self) { results.append(try await step(client)) }
                    #expect(results == first)
                    #expect(client.view.value.seen == revisions)
                }
            }
        }
    }

    @Test func anotherRequestUnderTheKeyOfAnEarlierStartIsRefused() async throws {
        try await withDataFolder { folder in
            let key = UUID()
            let (call, room) = try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                let call = try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")), key: key)
                return (call, try await client.make(call).id)
            }
            try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                let home = try #require(client.view.value.homes.keys.first)
                let study = InHome(home, AddRoom(name: "Study"))
                let other = try EncodedCall(HubMethods.addRoom, study, key: key)
                #expect(try await client.refusal(of: other) == .keyReused)
                let zone = try EncodedCall(HubMethods.addZone, InHome(home, AddZone(name: "Study")), key: key)
                #expect(try await client.refusal(of: zone) == .keyReused)
                // The key still belongs to the first request.
                #expect(try await client.make(call).id == room)
                #expect(try await client.refusal(of: other) == .keyReused)
                #expect(client.view.value.homes[home]?.rooms.map(\.name) == ["Kitchen"])
            }
        }
    }

    @Test func nobodyGetsWhatAnEarlierStartDidForAnotherAppOrPerson() async throws {
        try await withDataFolder { folder in
            let (call, ann) = try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                let person = AddHomeUser(home: home, name: "Ann", role: .administrator)
                let ann = await hub.account(try await client.call(HubMethods.addUser, person).id, to: "test")
                let call = try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")), key: UUID())
                _ = try await client.make(call)
                return (call, ann)
            }
            try await withHub(at: folder) { hub in
                for client in [try await KeyedClient(to: hub, app: "other"), try await KeyedClient(to: hub, as: ann)] {
                    #expect(try await client.refusal(of: call) == Self.taken)
                }
            }
        }
    }

    private static let taken = HubError.Code(rawValue: HomeError.Code.nameTaken.rawValue)

    @Test func whatWasRefusedIsDecidedAnewAndDoneOnceAtTheMost() async throws {
        try await withDataFolder { folder in
            let call = try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                let kitchen = InHome(home, AddRoom(name: "Kitchen"))
                let room = try await client.call(HubMethods.addRoom, kitchen).id
                let call = try EncodedCall(HubMethods.addRoom, kitchen, key: UUID())
                #expect(try await client.refusal(of: call) == Self.taken)
                _ = try await client.call(HubMethods.removeRoom, InHome(home, RemoveRoom(room)))
                #expect(try await client.refusal(of: call) == Self.taken)
                return call
            }
            var rooms: [UUID] = []
            for _ in 0..<2 {
                try await withHub(at: folder) { hub in
                    rooms.append(try await KeyedClient(to: hub).make(call).id)
                }
            }
            #expect(Set(rooms).count == 1)
        }
    }

    @Test func anAccessoryThatWasAddedIsNotAddedAgain() async throws {
        let lamp = "Lamp \(UUID().uuidString.prefix(8))"
        try await withDataFolder { folder in
            try await SimulatedAccessories.with([SimulatedAccessories.lamp(lamp)], in: folder) { accessories in
                let ready = try #require(accessories.ready.first)
                let (home, addition, added) = try await withHub(at: folder) { hub in
                    let client = try await KeyedClient(to: hub)
                    let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let (id, code) = (ready.deviceID.description, ready.setupCode.dashed)
                    let parameters = AddAccessory(home: home, deviceID: id, code: code)
                    let addition = try EncodedCall(HubMethods.addAccessory, parameters, key: UUID())
                    let added = try await client.reply(to: addition)
                    #expect(added.follows.map(\.home) == [home] && added.isShown)
                    return (home, addition, added.result)
                }
                #expect(added.ids.count == 1)
                let target = InHome(home, RemoveAccessory(added.ids[0]))
                let removal = try EncodedCall(HubMethods.removeAccessory, target, key: UUID())
                try await withHub(at: folder) { hub in
                    let client = try await KeyedClient(to: hub)
                    #expect(try await client.make(addition) == added)
                    #expect(client.view.value.homes[home]?.accessories.map(\.id) == added.ids)
                    _ = try await client.make(removal)
                }
                try await withHub(at: folder) { hub in
                    let client = try await KeyedClient(to: hub)
                    _ = try await client.make(removal)
                    #expect(try await client.make(addition) == added)
                    #expect(client.view.value.homes[home]?.accessories.isEmpty == true)
                }
            }
        }
    }

    /// Returns the question that a client received.
    private static func question(at screen: RecordingHubClient) async throws -> Question {
        try #require(try await screen.until { !$0.questions.isEmpty }.questions.first)
    }

    @Test func aPersonWhoWasInvitedIsNotInvitedAgain() async throws {
        try await withDataFolder { folder in
            let (home, invitation, management, ann) = try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                let target = HomeTarget(home: home)
                let invitation = try EncodedCall(HubMethods.inviteUser, target, key: UUID())
                let management = try EncodedCall(HubMethods.manageUsers, target, key: UUID())
                let screen = try await RecordingHubClient(to: hub, app: "test.screen")
                _ = try await screen.call(HubMethods.questions, Empty())
                async let invited = client.make(invitation)
                var question = try await Self.question(at: screen)
                _ = try await screen.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answer: "Ann"))
                let ann = try await invited.id
                async let managed = client.make(management)
                question = try await Self.question(at: screen)
                let answers = ["person1": Role.administrator.rawValue, "invite": "Bob"]
                _ = try await screen.call(HubMethods.answerQuestion, AnswerQuestion(id: question.id, answers: answers))
                _ = try await managed
                return (home, invitation, management, ann)
            }
            try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                #expect(try await client.make(invitation).id == ann)
                _ = try await client.make(management)
                #expect(client.view.value.homes[home]?.users.map(\.name) == ["Tester", "Ann", "Bob"])
            }
        }
    }

    @Test func anImportThatWasDoneIsNotDoneAgain() async throws {
        let text = try await withPopulatedHub { hub, _ in
            let view = try await KeyedClient(to: hub).view.value
            return Data(try HomeExport(account: view.account, homes: view.homes.values).text.utf8)
        }
        try await withDataFolder { folder in
            let export = UUID()
            let parameters = ImportHomes(id: export, home: nil, isDryRun: false)
            let call = try EncodedCall(HubMethods.importHomes, parameters, key: UUID())
            let (report, seen) = try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                _ = try await client.call(HubMethods.writeImport, WriteImport(id: export, offset: 0, bytes: text))
                let report = try await client.make(call)
                return (report, client.view.value.seen)
            }
            #expect(report.homes.map(\.isNew) == [true])
            try await withHub(at: folder) { hub in
                let client = try await KeyedClient(to: hub)
                #expect(try await client.make(call) == report)
                #expect(client.view.value.seen == seen)
            }
        }
    }

    // MARK: An app

    /// Connects as soon as there is a hub.
    private final class LateTransport: RPCTransport {
        private struct State {
            var inner: (any HubTransport)?
            var waiting: [HubRequest] = []
        }

        private let hubs: AwaitableValue<[HomeHub]>
        private let attempt: Int
        private let state = Mutex(State())

        init(_ hubs: AwaitableValue<[HomeHub]>, attempt: Int) {
            self.hubs = hubs
            self.attempt = attempt
        }

        func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
            Task { [self] in
                let attempt = attempt
                let hub = try await hubs.until { $0.count > attempt }[attempt]
                let inner = InProcessTransport(to: hub, as: .person(on: hub))
                inner.open { message in
                    switch message {
                    case .event(.change) where attempt == 0: return
                    case .reply(let id, _) where attempt == 0 && id > 1: inner.close()
                    default: receive(message)
                    }
                }
                // Requests are sent in order: a later one waits for those before it.
                state.withLock { state in
                    for request in state.waiting { inner.send(request) }
                    state.inner = inner
                }
            }
        }

        func send(_ request: HubRequest) {
            state.withLock { state in
                if let inner = state.inner { inner.send(request) } else { state.waiting.append(request) }
            }
        }

        func close() { state.withLock { $0.inner }?.close() }
    }

    @Test func anAppWhoseHubEndedBeforeTheReplyHasWhatItAskedForOnceTheHubIsBack() async throws {
        try await withDataFolder { folder in
            let hubs = AwaitableValue<[HomeHub]>([])
            let attempts = Mutex(0)
            let (app, addition) = try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                let id = try await probe.call(HubMethods.addHome, AddHome(name: "Villa")).id
                let app = TestApp(on: hub, named: "test.loser") {
                    let attempt = attempts.withLock { attempts in
                        defer { attempts += 1 }
                        return attempts
                    }
                    return LateTransport(hubs, attempt: attempt)
                }
                hubs.change { $0.append(hub) }
                try await app.until("homes updated")
                let home = try #require(app.manager.homes.first)
                let addition = Task { try await home.addRoom(named: "Attic") }
                try await probe.until { $0.homes[id]?.rooms.count == 1 }
                return (app, addition)
            }
            try await withHub(at: folder) { hub in
                hubs.change { $0.append(hub) }
                let room = try await addition.value
                #expect(app.manager.homes.first?.rooms == [room])
                let probe = try await RecordingHubClient(to: hub)
                #expect(probe.view.homes.values.map { $0.rooms.map(\.id) } == [[room.uniqueIdentifier]])
                // The state after the reconnection arrived before the reply.
                #expect(app.count("added room Attic") == 0)
            }
        }
    }
}
