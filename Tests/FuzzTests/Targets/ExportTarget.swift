import Foundation
import HAPCatalog
import HomeModel

extension FuzzTarget {
    /// Exports of homes, and their import into another home.
    static let exports = FuzzTarget("exports", maximumLength: 4_096) { input throws(Violation) in
        guard let homes = try? HomeExport.homes(in: Data(input)), !homes.isEmpty else { return false }
        for exported in homes {
            var home = populated
            let outcome = try? home.decideImport(of: exported, by: person, at: time)
            guard let outcome else { continue }
            let change = outcome.change
            if let change { home.apply(change) }
            try hold(change?.effects.isEmpty != true, "a change changes something")
            try hold(populated.users == home.users, "an import doesn't change users")
            try hold(Home(id: home.id, records: home.records) == home, "an imported home can be stored")
            guard let again = try? home.decideImport(of: exported, by: person, at: time) else {
                throw Violation(description: "what was imported can be imported")
            }
            try hold(again.change == nil, "a second import changes nothing")
            guard let text = try? HomeExport(account: Account(user: person.user), homes: [home]).text,
                let read = try? HomeExport.homes(in: Data(text.utf8)).first
            else { throw Violation(description: "an imported home is exported and read") }
            try hold(Set(read.home.records) == Set(home.records), "an export is decoded as it was encoded")
        }
        return true
    }

    private static let time = Date(timeIntervalSince1970: 1_800_000_000)

    private static let person = Caller(
        user: id(1),
        device: id(2),
        app: "fuzz",
        client: id(3)
    )

    /// A home with a lamp and a room.
    private static let populated: Home = {
        var home = Home(id: id(4))
        home.apply(
            Home.creation(
                id: id(4),
                defaultRoom: id(5),
                owner: UserRecord(id: person.user, name: "Ann", role: .owner)
            )
        )
        let on = CharacteristicShape(
            iid: 11,
            type: HAPType.Characteristic.on,
            permissions: [.read, .write, .notify],
            metadata: CharacteristicMetadata(format: .bool)
        )
        let lamp = AccessoryCandidate(
            id: id(6),
            aid: 1,
            reportedName: "Lamp",
            category: .lightbulb,
            information: AccessoryInformation(manufacturer: "Acme", model: "L", serialNumber: "1"),
            services: [ServiceShape(iid: 10, type: HAPType.Service.lightbulb, characteristics: [on])]
        )
        let requests: [any HomeRequest] = [
            AddRoom(id: id(7), name: "Attic"),
            AddAccessories([lamp], server: "AA:BB:CC:DD:EE:FF", name: nil, room: nil),
        ]
        for request in requests {
            if let change = try? home.decide(request, by: person, at: time) { home.apply(change) }
        }
        return home
    }()

    private static func id(_ number: UInt8) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
    }
}
