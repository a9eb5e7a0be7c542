import Foundation
import GRDB
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI
import Testing

@testable import HomeHub

/// A hub with a home, and what its journal says. Activities are published by the test.
struct JournalFixture: Sendable {
    let hub: HomeHub
    let home: UUID
    let client: RecordingHubClient

    /// Runs `body` with a hub whose home has a lamp (iid 11), a thermometer (iid 31) and a button (iid 41).
    static func with(_ body: (JournalFixture) async throws -> Void) async throws {
        let lamp = AccessoryCandidate.gadget("Lamp")
        let sensors = AccessoryCandidate(
            id: UUID(),
            aid: 2,
            reportedName: "Sensor",
            category: .sensor,
            information: AccessoryInformation(),
            services: [
                service(30, HAPType.Service.temperatureSensor, 31, HAPType.Characteristic.currentTemperature),
                service(
                    40,
                    HAPType.Service.statelessProgrammableSwitch,
                    41,
                    HAPType.Characteristic.programmableSwitchEvent
                ),
            ]
        )
        try await withPopulatedHub([lamp, sensors]) { hub, home in
            let client = try await RecordingHubClient(to: hub, app: "hearth")
            try await body(JournalFixture(hub: hub, home: home, client: client))
        }
    }

    private static func service(
        _ iid: UInt64,
        _ type: HAPType,
        _ characteristic: UInt64,
        _ characteristicType: HAPType
    ) -> ServiceShape {
        let definition = CharacteristicDefinition.of(characteristicType)
        let shape = CharacteristicShape(
            iid: characteristic,
            type: characteristicType,
            permissions: definition?.permissions ?? [],
            metadata: definition?.metadata ?? CharacteristicMetadata(format: .bool)
        )
        return ServiceShape(iid: iid, type: type, characteristics: [shape])
    }

    func accessory(_ name: String) throws -> AccessoryRecord {
        try #require(client.view.homes[home]?.accessories.first { $0.name == name })
    }

    /// The owner as the caller of a request.
    var caller: Caller {
        Caller(user: hub.owner.user, device: hub.owner.device, app: "com.example.lights", client: UUID())
    }

    /// Publishes that a characteristic got a value.
    func publish(
        _ value: CharacteristicValue?,
        previous: CharacteristicValue? = nil,
        of iid: UInt64,
        on accessory: UUID,
        by origin: Origin = .accessory,
        isRepeated: Bool = false
    ) {
        let update = ValueUpdate(
            home: home,
            characteristic: CharacteristicReference(accessory: accessory, iid: iid),
            value: value
        )
        let activity = ValueActivity(update: update, previous: previous, arrival: .next(), origin: origin)
        hub.activities.publish(isRepeated ? .repeatedWrites([activity]) : .values([activity]))
    }

    /// Returns all entries, newest first, without the changes of the layout.
    func entries(
        _ client: RecordingHubClient? = nil,
        about: UUID? = nil,
        limit: Int = 100
    ) async throws -> [JournalEntry] {
        let query = JournalQuery(home: home, about: about, limit: limit)
        return try await (client ?? self.client).call(HubMethods.journal, query).entries.filter { entry in
            if case .change = entry.content { false } else { true }
        }
    }

    func explain(_ id: UUID) async throws -> [JournalEntry] {
        try await client.call(HubMethods.explain, ItemTarget(home: home, id: id)).entries
    }
}

extension JournalEntry {
    /// The value that a characteristic got; `nil` if the entry is about something else.
    var journalValue: JournalValue? {
        if case .value(let value) = content { value } else { nil }
    }
}

/// Sets the format of a closed database.
func setFormat(_ format: Int, ofDatabaseAt path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = \(format)") }
    try queue.close()
}
