import AccessorySimulator
import Foundation
import HAP
import HAPCatalog
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub

/// The origins of values and entries in the activity stream.
struct OriginTests {
    /// A hub with a dimmable lamp, a client that added the lamp, and all activities published since.
    private struct Fixture: Sendable {
        let hub: HomeHub
        let probe: RecordingHubClient
        let home: UUID
        let brightness: CharacteristicReference
        let name: String
        let accessories: SimulatedAccessories
        let published: AwaitableValue<[Activity]>

        /// The origins of a characteristic's values, in order.
        var origins: [Origin] {
            published.value.flatMap(\.values).filter { $0.update.characteristic == brightness }.map(\.origin)
        }

        func write(_ content: WriteCharacteristics.Write.Content, by client: RecordingHubClient) async throws
            -> CharacteristicResults.Outcome
        {
            let write = WriteCharacteristics.Write(characteristic: brightness, content)
            return try await client.call(HubMethods.write, WriteCharacteristics(home: home, writes: [write])).outcomes[
                0
            ]
        }
    }

    private static func withLamp(_ body: (Fixture) async throws -> Void) async throws {
        try await withDataFolder { folder in
            let name = SimulatedAccessories.newName("Lamp")
            let text = """
                {"format": 1, "name": "\(name)", "serialNumber": "\(UUID().uuidString)", "category": "Lightbulb", "services": [
                  {"type": "Lightbulb", "characteristics": {"On": true, "Brightness": 50}}]}
                """
            try await SimulatedAccessories.with([text], in: folder) { accessories in
                try await withHub(at: folder) { hub in
                    let published = AwaitableValue<[Activity]>([])
                    hub.activities.subscribe { activity in published.change { $0.append(activity) } }
                    let probe = try await RecordingHubClient(to: hub)
                    let home = try await probe.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let lamp = try #require(accessories.ready.first)
                    let addition = AddAccessory(
                        home: home,
                        deviceID: lamp.deviceID.description,
                        code: lamp.setupCode.dashed
                    )
                    let id = try #require(try await probe.call(HubMethods.addAccessory, addition).ids.first)
                    let view = try await probe.until { $0.reachability[id]?.isReachable == true }
                    let record = try #require(view.homes[home]?.accessories[id: id])
                    let shapes = view.homes[home].map { $0.services(of: record).flatMap(\.characteristics) } ?? []
                    let shape = try #require(shapes.first { $0.type == HAPType.Characteristic.brightness })
                    let brightness = CharacteristicReference(accessory: id, iid: shape.iid)
                    let fixture = Fixture(
                        hub: hub,
                        probe: probe,
                        home: home,
                        brightness: brightness,
                        name: name,
                        accessories: accessories,
                        published: published
                    )
                    try await body(fixture)
                }
            }
        }
    }

    @Test func aWriteIsPublishedAsThatOfWhoAskedForIt() async throws {
        try await Self.withLamp { fixture in
            let command = try await RecordingHubClient(to: fixture.hub, app: "hearth")
            #expect(try await fixture.write(.value(.integer(60)), by: fixture.probe).value == .integer(60))
            #expect(try await fixture.write(.value(.integer(70)), by: command).value == .integer(70))
            let origins = fixture.origins.suffix(2)
            #expect(origins.map(\.cause) == [.app, .person])
            #expect(origins.map(\.caller?.app) == ["test.probe", "hearth"])
            #expect(origins.map(\.caller?.client) == [fixture.probe.welcome.client, command.welcome.client])
        }
    }

    @Test func whatTheAccessoryDoesByItselfIsPublishedAsThat() async throws {
        try await Self.withLamp { fixture in
            // The accessory itself is the origin of the values that it has when it joins the home.
            #expect(fixture.origins.first == .accessory)
            let simulator = fixture.accessories.simulator
            try await simulator.set(.integer(33), of: simulator.find(fixture.name, "Brightness"))
            try await fixture.published.until { $0.flatMap(\.values).contains { $0.update.value == .integer(33) } }
            let value = fixture.published.value.flatMap(\.values).last { $0.update.value == .integer(33) }
            #expect(value?.origin == .accessory && value?.repliedTo == nil)
        }
    }

    @Test func differencesThatAreAskedForAtOnceAddUpAndEndAtTheBound() async throws {
        try await Self.withLamp { fixture in
            let other = try await RecordingHubClient(to: fixture.hub, app: "test.other")
            async let first = fixture.write(.difference(.integer(10)), by: fixture.probe)
            async let second = fixture.write(.difference(.integer(10)), by: other)
            async let third = fixture.write(.difference(.integer(10)), by: fixture.probe)
            let values = try await [first, second, third].compactMap(\.value?.wholeNumber)
            #expect(values.max() == 80, "\(values)")
            #expect(try await fixture.write(.difference(.integer(50)), by: other).value == .integer(100))
            #expect(try await fixture.write(.difference(.integer(-30)), by: other).value == .integer(70))
        }
    }

    @Test func aDifferenceOfWhatIsNotANumberIsRefused() async throws {
        try await Self.withLamp { fixture in
            let before = fixture.origins.count
            let outcome = try await fixture.write(.difference(.string("x")), by: fixture.probe)
            #expect(outcome.error?.code == .invalidValueType, "\(outcome)")
            #expect(fixture.origins.count == before)
        }
    }

    @Test func anEntryTellsWhetherAnAppOrAPersonAskedOrAPersonAgreed() async throws {
        try await withHub { hub in
            let published = AwaitableValue<[Activity]>([])
            hub.activities.subscribe { activity in published.change { $0.append(activity) } }
            let app = try await RecordingHubClient(to: hub, app: "test.app")
            let command = try await RecordingHubClient(to: hub, app: "hearth")
            let home = try await app.call(HubMethods.addHome, AddHome(name: "Villa")).id
            _ = try await command.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
            let person = try await QuestionResponder(on: hub, answer: "Ann")
            _ = try await app.call(HubMethods.inviteUser, HomeTarget(home: home))
            let entries = published.value.flatMap(\.entries)
            #expect(entries.first { $0.draft.change.verb == .homeCreated }?.draft.cause == .app)
            #expect(entries.first { $0.draft.change.verb == .roomAdded }?.draft.cause == .person)
            let invitation = try #require(entries.first { $0.draft.change.verb == .userAdded })
            #expect(invitation.draft.cause == .consent(of: hub.owner.user))
            #expect(invitation.draft.caller.app == "test.app")
            #expect(person.asked.value.count == 1)
        }
    }

    @Test func aQuestionIsPublishedWhenItIsAskedAndWhenItIsOver() async throws {
        try await withHub { hub in
            let published = AwaitableValue<[Activity]>([])
            hub.activities.subscribe { activity in published.change { $0.append(activity) } }
            let app = try await RecordingHubClient(to: hub, app: "test.app")
            let home = try await app.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let person = try await QuestionResponder(on: hub, answer: "Ann")
            _ = try await app.call(HubMethods.inviteUser, HomeTarget(home: home))
            let questions = published.value.compactMap { activity in
                switch activity {
                case .asked(let question, _): "asked \(question.id)"
                case .questionClosed(let id, _): "closed \(id)"
                default: nil
                }
            }
            let id = try #require(person.asked.value.first?.id)
            #expect(questions == ["asked \(id)", "closed \(id)"])
        }
    }
}

extension Activity {
    fileprivate var values: [ValueActivity] {
        if case .values(let values) = self { values } else { [] }
    }

    fileprivate var entries: [StoredRequest.Entry] {
        if case .stored(let request) = self { request.entries } else { [] }
    }
}
