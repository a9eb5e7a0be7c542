import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub
@testable import HomeKit

/// Imports of exports into a hub.
struct ImportTests {
    /// Uploads an export in chunks.
    @discardableResult
    private static func write(_ text: Data, _ probe: RecordingHubClient, piece: Int = 1_000) async throws -> UUID {
        let id = UUID()
        var offset = 0
        repeat {
            let bytes = text.dropFirst(offset).prefix(piece)
            _ = try await probe.call(HubMethods.writeImport, WriteImport(id: id, offset: offset, bytes: Data(bytes)))
            offset += bytes.count
        } while offset < text.count
        return id
    }

    private static func importing(
        _ text: Data,
        _ probe: RecordingHubClient,
        home: String? = nil,
        isDryRun: Bool = false
    ) async throws -> ImportReport {
        let id = try await write(text, probe)
        return try await probe.call(HubMethods.importHomes, ImportHomes(id: id, home: home, isDryRun: isDryRun))
    }

    private static func export(_ view: HubState) throws -> Data {
        Data(try HomeExport(account: view.account, homes: view.homes.values).text.utf8)
    }

    /// Returns the difference between two exports: the lines that only one of them has, except those of users.
    private static func difference(_ one: Data, _ other: Data) -> [String] {
        func lines(_ text: Data) -> Set<String> {
            Set(
                String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
                    .filter { !$0.contains(#""kind":"user""#) }
            )
        }
        return Array(lines(one).symmetricDifference(lines(other)))
    }

    /// Returns the export of a home in which every object has all its properties set.
    private static func populatedExport(gadget: UUID = UUID()) async throws -> (text: Data, home: UUID) {
        try await withPopulatedHub([.gadget("Gadget", id: gadget)]) { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let attic = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic"))).id
            let zone = try await probe.call(HubMethods.addZone, InHome(home, AddZone(name: "Up"))).id
            _ = try await probe.call(HubMethods.addRoomToZone, InHome(home, AddRoomToZone(room: attic, zone: zone)))
            let move = InHome(home, MoveAccessory(gadget, room: attic))
            _ = try await probe.call(HubMethods.moveAccessory, move)
            let rename = InHome(home, RenameAccessory(gadget, name: "Reading Lamp"))
            _ = try await probe.call(HubMethods.renameAccessory, rename)
            let socket = InHome(home, RenameService(accessory: gadget, iid: 20, name: "Socket"))
            _ = try await probe.call(HubMethods.renameService, socket)
            let kind = InHome(home, SetAssociatedType(HAPType.Service.fan, accessory: gadget, iid: 20))
            _ = try await probe.call(HubMethods.setAssociatedType, kind)
            let state = try #require(probe.view.homes[home])
            let group = try await probe.call(HubMethods.addServiceGroup, InHome(home, AddServiceGroup(name: "Lights")))
                .id
            let lamp = try #require(state.identity(ofService: 10, in: gadget))
            let membership = InHome(home, AddServiceToGroup(lamp, group: group))
            _ = try await probe.call(HubMethods.addServiceToGroup, membership)
            let scene = try await probe.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Evening"))).id
            let power = try #require(state.identity(ofCharacteristic: 11, in: gadget))
            let action = InHome(home, AddAction(power, value: .bool(true), actionSet: scene))
            _ = try await probe.call(HubMethods.addAction, action)
            let trigger = try await probe.call(
                HubMethods.addTrigger,
                InHome(home, AddTrigger(name: "Daily", RoleTable.daily))
            ).id
            let triggered = InHome(home, AddActionSetToTrigger(actionSet: scene, trigger: trigger))
            _ = try await probe.call(HubMethods.addActionSetToTrigger, triggered)
            let enabling = InHome(home, EnableTrigger(trigger, true))
            _ = try await probe.call(HubMethods.enableTrigger, enabling)
            return (try export(probe.view), home)
        }
    }

    @Test func aHomeThatIsNotThereIsMadeWithItsIdentitiesInOneEntry() async throws {
        let (text, home) = try await Self.populatedExport()
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let report = try await Self.importing(text, probe)
            #expect(report.homes.map(\.isNew) == [true] && report.homes.map(\.home) == [home])
            #expect(probe.changes.map(\.change.verb) == [.homeCreated, .homeAdded])
            #expect(probe.view.account.primaryHome?.id == home)
            let missing = Self.difference(text, try Self.export(probe.view))
            // Without the accessory, its shape, group membership and actions are missing.
            let kinds = ["accessory", "shape", "serviceGroup", "actionSet", "trigger"]
            for line in missing {
                #expect(kinds.contains { line.contains("\"kind\":\"\($0)\"") }, "\(line)")
            }
            #expect(report.homes[0].items.filter { $0.fate == .notHere }.map(\.name) == ["Reading Lamp"])
            // A second import changes nothing.
            let count = probe.changes.count
            let again = try await Self.importing(text, probe)
            #expect(!again.homes[0].isNew && probe.changes.count == count)
        }
    }

    @Test func aHomeWhoseAccessoriesWerePairedAnewBecomesWhatItWas() async throws {
        let old = UUID()
        let (text, _) = try await Self.populatedExport(gadget: old)
        let new = UUID()
        try await withPopulatedHub([.gadget("Gadget", id: new)]) { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let before = try Self.export(probe.view)
            let plan = try await Self.importing(text, probe, isDryRun: true)
            #expect(probe.changes.isEmpty)
            #expect(try Self.export(probe.view) == before)
            let report = try await Self.importing(text, probe)
            #expect(report == plan)
            #expect(report.homes[0].items.filter { [.notHere, .leftOut].contains($0.fate) }.isEmpty)
            #expect(probe.changes.map(\.change.verb) == [.homeImported])
            let state = try #require(probe.view.homes[home])
            let record = try #require(state.accessories[id: new])
            #expect(record.name == "Reading Lamp" && state.roomName(record.room) == "Attic")
            #expect(state.actionSets.last?.actions.first?.characteristic?.accessory == new)
            #expect(state.triggers.map(\.isEnabled) == [true])
        }
    }

    /// Records the delegate messages of a home and its accessories.
    private final class Listener: NSObject, HMHomeDelegate, HMAccessoryDelegate, Sendable {
        let messages = AwaitableValue<[String]>([])

        func record(_ text: String) { messages.change { $0.append(text) } }

        func home(_ home: HMHome, didAdd room: HMRoom) { record("room \(room.name)") }
        func home(_ home: HMHome, didAdd zone: HMZone) { record("zone \(zone.name)") }
        func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone) { record("\(room.name) in \(zone.name)") }
        func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
            record("\(accessory.name) to \(room.name)")
        }
        func home(_ home: HMHome, didAdd group: HMServiceGroup) { record("group \(group.name)") }
        func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup) {
            record("\(service.name) in \(group.name)")
        }
        func accessoryDidUpdateName(_ accessory: HMAccessory) { record("accessory is \(accessory.name)") }
        func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) {
            record("service is \(service.name)")
        }
        func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService) {
            record("\(service.name) counts as \(service.associatedServiceType == HMServiceTypeFan ? "a fan" : "?")")
        }
    }

    @Test func appsHearOfAnImportAsOfTheChangesThatItIsMadeOf() async throws {
        let (text, _) = try await Self.populatedExport()
        try await withPopulatedHub { hub, _ in
            let app = TestApp(on: hub)
            try await app.until("homes updated")
            let listener = Listener()
            let home = try #require(app.manager.homes.first)
            home.delegate = listener
            for accessory in home.accessories { accessory.delegate = listener }
            _ = try await Self.importing(text, try await RecordingHubClient(to: hub))
            try await listener.messages.until { $0.count >= 9 }
            #expect(
                listener.messages.value == [
                    "room Attic", "zone Up", "Attic in Up", "accessory is Reading Lamp", "Reading Lamp to Attic",
                    "service is Socket", "Socket counts as a fan", "group Lights", "Reading Lamp in Lights",
                ]
            )
            // A second import changes nothing.
            _ = try await Self.importing(text, try await RecordingHubClient(to: hub))
            _ = try await RecordingHubClient(to: hub).call(
                HubMethods.addRoom,
                InHome(home.uniqueIdentifier, AddRoom(name: "Last"))
            )
            try await listener.messages.until { $0.last == "room Last" }
            #expect(listener.messages.value.count == 10)
        }
    }

    @Test func guestsImportNothingAndAdministratorsDo() async throws {
        let (text, _) = try await Self.populatedExport()
        try await withPopulatedHub { hub, home in
            let owner = try await RecordingHubClient(to: hub)
            let person = try await owner.call(HubMethods.addUser, AddHomeUser(home: home, name: "Cem", role: .guest)).id
            let probe = try await RecordingHubClient(to: hub, as: person)
            let before = owner.view.homes
            for isDryRun in [true, false] {
                let error = await #expect(throws: HubError.self) {
                    try await Self.importing(text, probe, isDryRun: isDryRun)
                }
                #expect(error?.code.rawValue == "insufficientPrivileges")
            }
            #expect(owner.view.homes == before)
            let promotion = InHome(home, SetRole(.administrator, of: person))
            _ = try await owner.call(HubMethods.setRole, promotion)
            _ = try await Self.importing(text, probe)
            #expect(owner.view.homes[home]?.rooms.map(\.name) == ["Attic"])
        }
    }

    @Test func aHomeOfOthersIsNeitherSeenNorTouched() async throws {
        let (text, home) = try await Self.populatedExport()
        try await withHub { hub in
            let owner = try await RecordingHubClient(to: hub)
            _ = try await Self.importing(text, owner)
            let elsewhere = try await owner.call(HubMethods.addHome, AddHome(name: "Elsewhere")).id
            let person = AddHomeUser(home: elsewhere, name: "Ann", role: .administrator)
            let ann = try await owner.call(HubMethods.addUser, person).id
            let stranger = try await RecordingHubClient(to: hub, as: ann)
            let before = owner.view.homes
            let report = try await Self.importing(text, stranger)
            #expect(report.homes[0].isNew && report.homes[0].home != home)
            #expect(owner.view.homes == before)
            // The next import finds it by its name.
            #expect(try await !Self.importing(text, stranger).homes[0].isNew)
        }
    }

    @Test func ofSeveralHomesAllAreImportedOrNone() async throws {
        let text = try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            for name in ["Villa", "Hut"] {
                let home = try await probe.call(HubMethods.addHome, AddHome(name: name)).id
                _ = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
            }
            return try Self.export(probe.view)
        }
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let hut = try await probe.call(HubMethods.addHome, AddHome(name: "Hut")).id
            let zone = try await probe.call(HubMethods.addZone, InHome(hut, AddZone(name: "Attic"))).id
            let before = try Self.export(probe.view)
            let error = await #expect(throws: HubError.self) { try await Self.importing(text, probe) }
            #expect(error?.code.rawValue == "nameTaken" && error?.reason.contains("“Hut”") == true)
            #expect(try Self.export(probe.view) == before)
            // Only one of the homes is imported, by its name.
            _ = try await Self.importing(text, probe, home: "villa")
            #expect(probe.view.account.homes.map(\.name) == ["Hut", "Villa"])
            #expect(probe.view.account.primaryHome?.name == "Hut")
            _ = try await probe.call(HubMethods.renameZone, InHome(hut, RenameZone(zone, name: "Up")))
            _ = try await Self.importing(text, probe)
            #expect(probe.view.homes[hut]?.rooms.map(\.name) == ["Attic"])
            let missing = await #expect(throws: HubError.self) { try await Self.importing(text, probe, home: "Barn") }
            #expect(missing?.code.rawValue == "notFound" && missing?.reason.contains("“Villa”") == true)
        }
    }

    @Test func twoHomesExchangeTheirNames() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let villa = try await probe.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let hut = try await probe.call(HubMethods.addHome, AddHome(name: "Hut")).id
            let text = try Self.export(probe.view)
            for (home, name) in [(villa, "Barn"), (hut, "Villa"), (villa, "Hut")] {
                _ = try await probe.call(HubMethods.renameHome, RenameHome(home: home, name: name))
            }
            _ = try await Self.importing(text, probe)
            #expect(probe.view.account.home(villa)?.name == "Villa" && probe.view.account.home(hut)?.name == "Hut")
            #expect(try Self.export(probe.view) == text)
        }
    }

    @Test func namesThatAreTakenAreToldOfAllHomes() async throws {
        let text = try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            for name in ["Villa", "Hut"] {
                let home = try await probe.call(HubMethods.addHome, AddHome(name: name)).id
                _ = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
            }
            return try Self.export(probe.view)
        }
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            for name in ["Villa", "Hut"] {
                let home = try await probe.call(HubMethods.addHome, AddHome(name: name)).id
                _ = try await probe.call(HubMethods.addZone, InHome(home, AddZone(name: "Attic")))
            }
            let error = await #expect(throws: HubError.self) { try await Self.importing(text, probe, isDryRun: true) }
            #expect(error?.code.rawValue == "nameTaken")
            let conflicts = error?.reason.split(separator: "\n").map { $0.prefix(7) }
            #expect(conflicts == ["“Villa”", "“Hut”: "] || conflicts == ["“Hut”: ", "“Villa”"])
        }
    }

    @Test func anImportThatWasDecidedOnWhatIsNoMoreIsDecidedAnew() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let home = try await probe.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let room = try await probe.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic"))).id
            let text = try Self.export(probe.view)
            let other = try await probe.call(HubMethods.addHome, AddHome(name: "Hut")).id
            let edited = String(decoding: text, as: UTF8.self).replacing("Attic", with: "Loft")
            let exported = try HomeExport.homes(in: Data(edited.utf8))
            let database = hub.database
            let caller = Caller(user: hub.owner.user, device: hub.owner.device, app: "test", client: UUID())
            let projection = hub.aliases.projection(for: caller.user, app: caller.app, .app)
            func decide() async throws -> ImportDecision {
                let ground = await database.importGround(for: caller.user)
                return try ImportDecision(exported, on: ground, by: caller, projection)
            }
            let early = try await decide()
            _ = try await probe.call(HubMethods.renameRoom, InHome(home, RenameRoom(room, name: "Garret")))
            #expect(await database.submit(early, by: caller, cause: .app) == nil)
            #expect(await database.home(home)?.rooms.map(\.name) == ["Garret"])
            let late = try await decide()
            // Changes to other homes don't invalidate the decision.
            _ = try await probe.call(HubMethods.addRoom, InHome(other, AddRoom(name: "Cellar")))
            let change = try #require(await database.submit(late, by: caller, cause: .app))
            try await change.committed()
            #expect(await database.home(home)?.rooms.map(\.name) == ["Loft"])
        }
    }

    @Test func othersChangeTheHomeWhileItIsImportedInto() async throws {
        let (text, home) = try await Self.populatedExport()
        try await withHub { hub in
            let (probe, other) = (try await RecordingHubClient(to: hub), try await RecordingHubClient(to: hub))
            _ = try await Self.importing(text, probe)
            let edited = Data(String(decoding: text, as: UTF8.self).replacing("\"Attic\"", with: "\"Loft\"").utf8)
            let id = try await Self.write(edited, probe)
            async let report = probe.call(HubMethods.importHomes, ImportHomes(id: id, isDryRun: false))
            for number in 0..<20 {
                _ = try await other.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Room \(number)")))
            }
            _ = try await report
            let names = try #require(await hub.database.home(home)?.rooms.map(\.name))
            #expect(names.contains("Loft") && !names.contains("Attic") && names.count == 21)
        }
    }

    @Test func aConnectionHasOneImportAtATime() async throws {
        let (text, _) = try await Self.populatedExport()
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let parameters = ImportHomes(id: try await Self.write(text, probe), isDryRun: true)
            while true {
                async let one = probe.refusal(HubMethods.importHomes, parameters)
                async let two = probe.refusal(HubMethods.importHomes, parameters)
                let refusals = try await [one, two]
                // The second call is rejected unless the first has already finished.
                #expect(refusals.contains(nil))
                if refusals.contains("notAllowedNow") { break }
                #expect(refusals == [nil, nil])
            }
            #expect(try await probe.refusal(HubMethods.importHomes, parameters) == nil)
        }
    }

    @Test func anImportThatComesAgainIsDoneOnce() async throws {
        let (text, _) = try await Self.populatedExport()
        try await withHub { hub in
            func connect() async throws -> HubConnection {
                let connection = HubConnection(over: InProcessTransport(to: hub, as: .person(on: hub))) { _ in }
                _ = try await connection.call(HubMethods.hello, Hello(app: "test", purpose: "Tests."))
                return connection
            }
            func make(_ call: EncodedCall<ImportHomes, ImportReport>, _ connection: HubConnection) async throws
                -> ImportReport
            {
                try await withCheckedContinuation {
                    (continuation: CheckedContinuation<Result<ImportReport, HubError>, Never>) in
                    connection.call(call) { continuation.resume(returning: $0) }
                }.get()
            }
            let (first, id) = (try await connect(), UUID())
            _ = try await first.call(HubMethods.writeImport, WriteImport(id: id, offset: 0, bytes: text))
            let call = try EncodedCall(HubMethods.importHomes, ImportHomes(id: id, isDryRun: false), key: UUID())
            let report = try await make(call, first)
            first.close()
            // The export was discarded with its connection, but the reply is still available.
            let second = try await connect()
            #expect(try await make(call, second) == report)
            let other = await #expect(throws: HubError.self) {
                try await second.call(HubMethods.importHomes, ImportHomes(id: id, isDryRun: false))
            }
            #expect(other?.code.rawValue == "notFound")
        }
    }

    @Test func anExportMayBeAsLongAsTheLimitAndNoLonger() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            var text = Data(#"{"hearth":"export","version":2}"#.utf8)
            let end = Data(("\n" + #"{"hearth":"end"}"#).utf8)
            text += Data(repeating: UInt8(ascii: " "), count: HomeLimits.exportLength - text.count - end.count) + end
            let id = try await Self.write(text, probe, piece: 1 << 19)
            let report = try await probe.call(HubMethods.importHomes, ImportHomes(id: id, isDryRun: false))
            #expect(report.homes.isEmpty)
            let long = await #expect(throws: HubError.self) {
                try await Self.write(text + Data([10]), probe, piece: 1 << 19)
            }
            #expect(long?.code.rawValue == "limitExceeded")
        }
    }

    @Test func piecesComeInTheirOrderAndFromFewConnectionsAtATime() async throws {
        try await withHub { hub in
            let probe = try await RecordingHubClient(to: hub)
            let id = UUID()
            func refusal(_ offset: Int, _ probe: RecordingHubClient) async throws -> String? {
                let piece = WriteImport(id: id, offset: offset, bytes: Data("ab".utf8))
                return try await probe.refusal(HubMethods.writeImport, piece)
            }
            #expect(try await refusal(1, probe) == "malformedMessage")
            #expect(try await refusal(-1, probe) == "malformedMessage")
            #expect(try await refusal(.max, probe) == "malformedMessage")
            #expect(try await refusal(0, probe) == nil)
            #expect(try await refusal(0, probe) == "malformedMessage")
            #expect(try await refusal(2, probe) == nil)
            let run = ImportHomes(id: id, isDryRun: true)
            #expect(try await probe.refusal(HubMethods.importHomes, run) == "notAnExport")
            let other = ImportHomes(id: UUID(), isDryRun: true)
            #expect(try await probe.refusal(HubMethods.importHomes, other) == "notFound")
            var others: [RecordingHubClient] = []
            for _ in 1..<ImportManager.exports {
                others.append(try await RecordingHubClient(to: hub))
                #expect(try await refusal(0, others[others.count - 1]) == nil)
            }
            let last = try await RecordingHubClient(to: hub)
            #expect(try await refusal(0, last) == "notAllowedNow")
            #expect(try await last.refusal(HubMethods.importHomes, run) == "notFound")
            // An export is discarded when its connection closes. The suite's time limit ends the wait if it fails.
            others[0].close()
            while try await refusal(0, last) != nil { await Task.yield() }
        }
    }
}
