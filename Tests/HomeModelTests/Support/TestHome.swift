import Foundation
import HAPCatalog
import HomeModel

/// A home with an owner, an administrator and a guest, and shorthands for requests.
struct TestHome {
    static let server = "AA:BB:CC:DD:EE:01"
    /// The time by default: a whole minute.
    static let time = Date(timeIntervalSince1970: 1_700_000_040)

    var home: Home
    let owner = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
    let administrator = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
    let guest = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
    let nonMember = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())

    init() {
        let id = UUID()
        home = Home(id: id)
        home.apply(
            Home.creation(
                id: id,
                defaultRoom: UUID(),
                owner: UserRecord(id: owner.user, name: "Ann", role: .owner)
            )
        )
        let others = [
            UserRecord(id: administrator.user, name: "Ben", role: .administrator),
            UserRecord(id: guest.user, name: "Cem", role: .guest),
        ]
        home.apply(Change(verb: Verb(rawValue: "usersAdded"), subjects: [], effects: others.map { .put(.user($0)) }))
    }

    /// Decides and applies a request of the owner.
    @discardableResult
    mutating func ask(_ request: any HomeRequest) throws(HomeError) -> Change? {
        let change = try home.decide(request, by: owner, at: Self.time)
        if let change { home.apply(change) }
        return change
    }

    mutating func addRoom(_ name: String) throws(HomeError) -> UUID {
        let id = UUID()
        try ask(AddRoom(id: id, name: name))
        return id
    }

    mutating func addZone(_ name: String) throws(HomeError) -> UUID {
        let id = UUID()
        try ask(AddZone(id: id, name: name))
        return id
    }

    mutating func addLamp(_ name: String, server: String = TestHome.server) throws(HomeError) -> UUID {
        let lamp = AccessoryCandidate.lamp(name)
        try ask(AddAccessories([lamp], server: server, name: nil, room: nil))
        return lamp.id
    }

    /// Returns the error code of a request of the owner; `nil` if it succeeds.
    func refusal(of request: any HomeRequest) -> HomeError.Code? {
        refusal(of: request, by: owner)
    }

    /// Returns a draft of the owner for the home's log.
    func draft(of change: Change) -> EntryDraft {
        EntryDraft(
            log: .home(home.id),
            entryID: UUID(),
            caller: owner,
            cause: .app,
            time: Self.time,
            change: change,
            expectedRevision: 0
        )
    }

    func refusal(of request: any HomeRequest, by caller: Caller) -> HomeError.Code? {
        do throws(HomeError) {
            _ = try home.decide(request, by: caller, at: Self.time)
            return nil
        } catch {
            return error.code
        }
    }
}

extension AccessoryCandidate {
    static func lamp(_ name: String, aid: UInt64 = 1, category: AccessoryCategory? = .lightbulb) -> AccessoryCandidate {
        AccessoryCandidate(
            id: UUID(),
            aid: aid,
            reportedName: name,
            category: category,
            information: AccessoryInformation(manufacturer: "Acme", model: "Lamp 1", serialNumber: "\(aid)"),
            services: [.information, .lightbulb(iid: 10)]
        )
    }

    static func bridge(_ name: String) -> AccessoryCandidate {
        AccessoryCandidate(
            id: UUID(),
            aid: 1,
            reportedName: name,
            category: .bridge,
            information: AccessoryInformation(manufacturer: "Acme", model: "Bridge 1"),
            services: [.information]
        )
    }
}

extension ServiceShape {
    static let information = ServiceShape(
        iid: 1,
        type: HAPType.Service.accessoryInformation,
        characteristics: [.init(iid: 2, type: HAPType.Characteristic.name, permissions: [.read], format: .string)]
    )

    static func lightbulb(iid: UInt64, reportedName: String? = nil) -> ServiceShape {
        ServiceShape(
            iid: iid,
            type: HAPType.Service.lightbulb,
            reportedName: reportedName,
            isPrimary: true,
            characteristics: [
                .init(iid: iid + 1, type: HAPType.Characteristic.on, permissions: [.read, .write], format: .bool),
                .init(iid: iid + 2, type: HAPType.Characteristic.brightness, permissions: [.read], format: .int),
            ]
        )
    }

    static func outlet(iid: UInt64) -> ServiceShape {
        ServiceShape(
            iid: iid,
            type: HAPType.Service.outlet,
            characteristics: [
                .init(iid: iid + 1, type: HAPType.Characteristic.on, permissions: [.read, .write], format: .bool)
            ]
        )
    }
}

extension CharacteristicShape {
    init(iid: UInt64, type: HAPType, permissions: CharacteristicPermissions, format: CharacteristicFormat) {
        self.init(
            iid: iid,
            type: type,
            permissions: permissions,
            metadata: CharacteristicMetadata(format: format)
        )
    }
}
