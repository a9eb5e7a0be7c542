import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import HubClient
import LocalRPCSockets
import PeerProcess
import Testing

/// Exports a home as text, and imports it again.
struct ImportTests {
    /// Returns the file of an accessory with a lamp and a fan, with its own device ID and serial number.
    private static func appliance(_ name: String, _ id: String) -> String {
        #"""
        {
          "format": 1, "name": "\#(name)", "manufacturer": "Hearth", "model": "Appliance", "serialNumber": "\#(id)",
          "category": "Fan", "deviceID": "\#(id)", "setupCode": "\#(Fixture.lampCode)",
          "services": [
            {"type": "Fan", "primary": true, "characteristics": {"On": false}},
            {"type": "Lightbulb", "name": "\#(name) Light", "characteristics": {"On": false, "Brightness": 100}},
            {"type": "Outlet", "name": "Socket", "characteristics": {"On": false}}
          ]
        }
        """#
    }

    private func succeed(_ fixture: Fixture, _ arguments: String..., input: String? = nil) async throws {
        let outcome = try await fixture.run(arguments, input: input)
        try #require(outcome.status == 0, "\(arguments): \(outcome.error)")
    }

    private func pair(_ fixture: Fixture, _ id: String) async throws {
        let added = try await fixture.add(id, "--code", "-", input: Fixture.lampCode)
        try #require(added.status == 0, "\(id): \(added.error)")
    }

    /// Adds one of every kind of object to a home, including two appliances.
    private func furnish(_ fixture: Fixture) async throws {
        for room in ["Attic", "Cellar"] { try await succeed(fixture, "room", "add", room) }
        try await succeed(fixture, "zone", "add", "Upstairs")
        try await succeed(fixture, "zone", "add-room", "Upstairs", "Attic")
        try await succeed(fixture, "accessory", "rename", "Appliance", "Big Fan")
        try await succeed(fixture, "accessory", "move", "Big Fan", "Attic")
        try await succeed(fixture, "accessory", "move", "Other", "Cellar")
        try await succeed(fixture, "service", "rename", "Appliance Light", "Lamp Above")
        try await succeed(fixture, "group", "add", "Lights")
        try await succeed(fixture, "group", "add-service", "Lights", "Lamp Above")
        try await succeed(fixture, "scene", "add", "Evening")
        try await succeed(fixture, "scene", "set", "Evening", "Lamp Above", "Brightness", "20")
        try await succeed(fixture, "scene", "set", "Evening", "Other", "On", "true")
        try await succeed(fixture, "scene", "set", "Good Night", "Big Fan", "On", "false")
        try await addAutomation(fixture, "At Dusk")
        try await succeed(fixture, "automation", "add-scene", "At Dusk", "Evening")
        try await succeed(fixture, "automation", "enable", "At Dusk")
    }

    /// Adds an automation as an app does, triggered by one appliance with a condition on the other.
    private func addAutomation(_ fixture: Fixture, _ name: String) async throws {
        let text = try await fixture.run("export").output
        let home = try #require(try HomeExport.homes(in: Data(text.utf8)).first).home
        let powers = try home.accessories.filter { !$0.isBridge }.map { accessory in
            let shapes = home.services(of: accessory).flatMap(\.characteristics)
            let iid = try #require(shapes.first { $0.type == HAPType.Characteristic.on }).iid
            return try #require(home.identity(ofCharacteristic: iid, in: accessory.id))
        }
        try #require(powers.count == 2)
        let rule = EventRule(
            events: [TriggerEvent(id: UUID(), occurrence: .characteristic(powers[0], .bool(true)))],
            condition: .all([.characteristic(powers[1], .equal, .bool(false)), .sun(.after, SunMoment(.sunset))])
        )
        let connection = HubConnection(over: UnixSocketTransport(path: fixture.socket)) { _ in }
        defer { connection.close() }
        _ = try await connection.call(HubMethods.hello, Hello(app: "hearth.test", purpose: "Tests."))
        let trigger = InHome(home.id, AddTrigger(name: name, .event(rule)))
        _ = try await connection.call(HubMethods.addTrigger, trigger)
    }

    /// Replaces the IDs of accessories and users in an export with those of another export of the same devices.
    private static func normalized(_ text: String, like other: String) throws -> Set<Substring> {
        let home = try #require(try HomeExport.homes(in: Data(text.utf8)).first).home
        let model = try #require(try HomeExport.homes(in: Data(other.utf8)).first).home
        var text = text
        for (one, another) in zip(home.users, model.users) {
            text = text.replacing(one.id.uuidString, with: another.id.uuidString)
        }
        for accessory in home.accessories {
            let number = accessory.information.serialNumber
            let counterpart = try #require(model.accessories.first { $0.information.serialNumber == number })
            text = text.replacing(accessory.id.uuidString, with: counterpart.id.uuidString)
            for service in home.services(of: accessory) {
                for iid in [service.iid] + service.characteristics.map(\.iid) {
                    let (one, another) = (
                        Home.serviceID(of: iid, in: accessory), Home.serviceID(of: iid, in: counterpart)
                    )
                    text = text.replacing(one.uuidString, with: another.uuidString)
                }
            }
        }
        return Set(text.split(separator: "\n"))
    }

    @Test func aHomeIsTheSameAfterItWentThroughTextAndItsAccessoriesWerePairedAnew() async throws {
        try await Fixture.with { old in
            let (one, other) = (Fixture.newDeviceID(), Fixture.newDeviceID())
            let first = try await old.startSimulator("one", describedBy: Self.appliance("Appliance", one))
            let second = try await old.startSimulator("other", describedBy: Self.appliance("Other", other))
            let hub = try await old.startHub()
            try await succeed(old, "home", "add", "My Home")
            try await pair(old, one)
            try await pair(old, other)
            try await furnish(old)
            let before = try await old.run("export").output
            let file = old.folder.appending(path: "home.jsonl")
            try Data(before.utf8).write(to: file)
            // The accessories are unpaired, as after a reset.
            for name in ["Big Fan", "Other"] { try await succeed(old, "accessory", "remove", name) }
            #expect(await hub.terminate() == 0)

            try await Fixture.with { new in
                let hub = try await new.startHub()
                // Importing the text alone creates the home, and lists the missing accessories.
                let made = try await new.run("import", file.path)
                #expect(made.status == 0, "\(made.error)")
                #expect(made.output.contains("My Home (new home)"))
                #expect(made.output.contains("? accessory Big Fan isn't in the hub"))
                #expect(made.output.contains("- scene Evening: without the action on Brightness"))
                try await pair(new, one)
                try await pair(new, other)
                let paired = try await new.run("export").output
                let plan = try await new.run("import", file.path, "--dry-run")
                #expect(plan.status == 0 && plan.output.contains("nothing was changed"), "\(plan.error)")
                #expect(plan.output.contains("~ accessory Big Fan: was called “Appliance”, moves from “Default Room”"))
                #expect(try await new.run("export").output == paired)
                #expect(try await new.run("import", file.path).status == 0)
                let after = try await new.run("export").output
                #expect(after != before)
                let (one, other) = (try Self.normalized(after, like: before), Set(before.split(separator: "\n")))
                #expect(one == other, "\(one.symmetricDifference(other).sorted().joined(separator: "\n"))")
                // The home works, and importing again changes nothing.
                let set = try await new.run("set", "Lamp Above", "On", "true")
                #expect(set.status == 0, "\(set.error)")
                let again = try await new.run("import", file.path, "--json")
                let report = try JSONDecoder().decode(ImportReport.self, from: Data(again.output.utf8))
                #expect(report.homes.flatMap(\.items).isEmpty)
                #expect(try await new.run(["import", "-"], input: before).status == 0)
                #expect(try await new.run("export").output == after)
                #expect(await hub.terminate() == 0)
            }
            #expect(await first.terminate() == 0)
            #expect(await second.terminate() == 0)
        }
    }

    /// A delegate call that an app prints.
    private struct PeerOutput: Decodable, Sendable {
        var event: String
        var name: String?
        var room: String?
        var listed: Bool?
    }

    @Test func anAppHearsOfAnImportIntoTheHomeThatItShows() async throws {
        try await Fixture.with { fixture in
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let hub = try await fixture.startHub()
            try await succeed(fixture, "home", "add", "My Home")
            try await pair(fixture, id)
            for room in ["Attic", "Cellar"] { try await succeed(fixture, "room", "add", room) }
            try await succeed(fixture, "accessory", "move", "Lamp", "Attic")
            let before = try await fixture.run("export").output
            let file = fixture.folder.appending(path: "home.jsonl")
            try Data(before.utf8).write(to: file)
            try await succeed(fixture, "room", "rename", "Attic", "Loft")
            try await succeed(fixture, "room", "remove", "Cellar")
            try await succeed(fixture, "accessory", "move", "Lamp", Home.defaultRoomName)

            let environment = ["HEARTH_SOCKET": fixture.socket, "HEARTH_APP": "test.app", "HEARTH_PURPOSE": "Tests."]
            let app = try PeerProcess(Programs.app, environment: environment)
            _ = try await app.json(PeerOutput.self, "the homes") { $0.event == "didUpdateHomes" }
            #expect(try await fixture.run("import", file.path).status == 0)
            _ = try await app.json(PeerOutput.self, "a new name") { $0.event == "didRenameRoom" && $0.name == "Attic" }
            let added = try await app.json(PeerOutput.self, "a room") { $0.event == "didAddRoom" }
            #expect(added.name == "Cellar" && added.listed == true)
            let moved = try await app.json(PeerOutput.self, "a move") { $0.event == "didMoveAccessory" }
            #expect(moved.name == "Lamp" && moved.room == "Attic")
            #expect(try await fixture.run("export").output == before)
            // The import didn't affect the accessory's connection.
            try await succeed(fixture, "set", "Lamp", "On", "true")
            for process in [app, hub, lamp] { _ = await process.terminate() }
        }
    }

    /// Returns the export of a home with many rooms.
    private static func largeExport(rooms: Int = HomeLimits.roomsPerHome) throws -> String {
        let id = UUID()
        let record = AccountHomeRecord(id: id, name: "Palace", isPrimary: true, order: 1)
        let names = (1...rooms).map { "\(String(repeating: "Very ", count: 10))Large Room \($0)" }
        let records: [Record] =
            [.home(HomeRecord(id: id, defaultRoom: UUID()))]
            + names.map { .room(RoomRecord(id: UUID(), name: $0)) }
        let account = Account(user: UUID(), records: [.accountHome(record)])
        return try HomeExport(account: account, homes: [Home(id: id, records: records)]).text
    }

    private static func isNotUser(_ line: Substring) -> Bool { !line.contains(#""kind":"user""#) }

    @Test func anImportThatWasAcknowledgedOutlivesTheHub() async throws {
        try await Fixture.with { fixture in
            let text = try Self.largeExport()
            let file = fixture.folder.appending(path: "home.jsonl")
            try Data(text.utf8).write(to: file)
            let hub = try await fixture.startHub()
            #expect(try await fixture.run("import", file.path).status == 0)
            hub.kill(SIGKILL)
            await hub.exit()
            let next = try await fixture.startHub()
            let after = try await fixture.run("export").output
            #expect(after.split(separator: "\n").filter(Self.isNotUser) == text.split(separator: "\n"))
            #expect(await next.terminate() == 0)
        }
    }

    /// Arguments: the disk's mount point, then the hub and its arguments. A line on standard input fills the disk, the
    /// next one frees the space, and the end of standard input stops the hub.
    private static let smallDisk = """
        set -e
        mount -t tmpfs -o size=4m,mode=0700 tmpfs "$1"
        cd "$1"; shift
        "$@" & hub=$!
        read -r line
        cat /dev/zero >ballast 2>/dev/null || true
        echo full
        read -r line
        rm ballast
        echo free
        read -r line || true
        kill $hub
        wait $hub
        """

    @Test func onAFullDiskAnImportChangesNothing() async throws {
        try await Fixture.with { fixture in
            let text = try Self.largeExport()
            let file = fixture.folder.appending(path: "home.jsonl")
            try Data(text.utf8).write(to: file)
            let disk = fixture.folder.appending(path: "disk").path
            try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
            let hub = try PeerProcess(
                URL(filePath: "/usr/bin/unshare"),
                ["--mount", "/bin/bash", "-c", Self.smallDisk, "disk", disk, Programs.hearth.path, "hub"]
                    + ["--data", "\(disk)/hub", "--socket", fixture.socket, "--mdns-interface", "127.0.0.1", "--json"]
                    + ["--keep-copies", "0"]
            )
            _ = try await hub.json(Fixture.Line.self, "the hub's start") { $0.event == "ready" }
            try await succeed(fixture, "home", "add", "Hut")
            let before = try await fixture.run("export").output
            try hub.send("fill it")
            _ = try await hub.line("the disk to be full") { $0 == "full" }
            for _ in 1...3 {
                let refused = try await fixture.run("import", file.path)
                #expect(refused.status == 1 && refused.error.contains("storeFailure"), "\(refused.error)")
                #expect(try await fixture.run("export").output == before)
            }
            try hub.send("free it")
            _ = try await hub.line("the disk to have room") { $0 == "free" }
            let done = try await fixture.run("import", file.path)
            #expect(done.status == 0, "\(done.error)")
            let after = try await fixture.run("export").output
            #expect(after.contains("Large Room \(HomeLimits.roomsPerHome)") && after.contains("Hut"))
            hub.closeInput()
            await hub.exit()
            #expect(await hub.terminate() == 0, "\(hub.transcript)")
        }
    }

    @Test func whatIsWrongWithAFileIsNamedWithItsLineAndNothingIsDone() async throws {
        try await Fixture.with { fixture in
            let hub = try await fixture.startHub()
            try await succeed(fixture, "home", "add", "Hut")
            try await succeed(fixture, "room", "add", "Attic")
            let text = try await fixture.run("export").output
            let file = fixture.folder.appending(path: "home.jsonl")
            func refusal(_ content: Data) async throws -> String {
                try content.write(to: file)
                let outcome = try await fixture.run("import", file.path)
                #expect(outcome.status == 1 && outcome.output.isEmpty)
                #expect(try await fixture.run("export").output == text)
                return outcome.error
            }
            #expect(try await refusal(Data()).contains("notAnExport"))
            #expect(try await refusal(Data((0...255).map { UInt8($0) })).contains("notAnExport"))
            #expect(try await refusal(Data(contentsOf: Programs.hearth)).contains("error: "))
            #expect(try await refusal(Data(text.utf8.dropLast(20))).contains("exportCutShort"))
            let later = text.replacing(#""version":2"#, with: #""version":3"#)
            #expect(try await refusal(Data(later.utf8)).contains("futureExport"))
            let number = try #require(text.split(separator: "\n").firstIndex { $0.contains("Attic") }) + 1
            let wrong = text.replacing("Attic", with: "Attic?")
            #expect(try await refusal(Data(wrong.utf8)).contains("nameInvalidCharacter: Line \(number): "))
            let missing = try await fixture.run("import", file.path + ".not")
            #expect(missing.status == 1 && missing.error.contains("fileUnreadable"))
            let folder = try await fixture.run("import", fixture.folder.path)
            #expect(folder.status == 1 && folder.error.contains("fileUnreadable"), "\(folder.error)")
            #expect(await hub.terminate() == 0)
            try Data(text.utf8).write(to: file)
            #expect(try await fixture.run("import", file.path).status == 3)
        }
    }
}
