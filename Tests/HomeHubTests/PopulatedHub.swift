import Foundation
import HAPCatalog
import HomeHub
import HomeModel
import HomeStore
import HubAPI

/// Runs `body` with a hub whose home has an accessory that doesn't exist on the network. Tests of the stored home don't
/// need the accessory itself.
///
/// - Parameter accessories: The accessories of the home, by default one gadget.
func withPopulatedHub<Result>(
    _ accessories: [AccessoryCandidate] = [.gadget("Gadget")],
    questionTimeout: Duration = .seconds(60),
    _ body: (HomeHub, _ home: UUID) async throws -> Result
) async throws -> Result {
    try await withPopulatedFolder(accessories) { folder, home in
        try await withHub(at: folder, questionTimeout: questionTimeout) { hub in try await body(hub, home) }
    }
}

/// Runs `body` with the data folder of a hub whose home has accessories that don't exist on the network.
func withPopulatedFolder<Result>(
    _ accessories: [AccessoryCandidate] = [.gadget("Gadget")],
    _ body: (_ folder: URL, _ home: UUID) async throws -> Result
) async throws -> Result {
    try await withDataFolder { folder in
        let home = try await withHub(at: folder) { hub in
            try await RecordingHubClient(to: hub).call(HubMethods.addHome, AddHome(name: "Villa")).id
        }
        let store = try await HomeStore.open(at: folder.appending(path: "hub"))
        try await populate(home, with: accessories, in: store)
        try await store.close()
        return try await body(folder, home)
    }
}

private func populate(_ id: UUID, with accessories: [AccessoryCandidate], in store: HomeStore) async throws {
    guard let log = try await store.load(.home(id)) else { return }
    let home = Home(id: id, records: log.records)
    let owner = home.users.first { $0.role == .owner }?.id ?? UUID()
    let caller = Caller(user: owner, device: UUID(), app: "test.setup", client: UUID())
    let request = AddAccessories(accessories, server: "3C:5A:B4:00:00:01", name: nil, room: nil)
    guard let change = try home.decide(request, by: caller, at: Date()) else { return }
    let draft = EntryDraft(
        log: .home(id),
        entryID: UUID(),
        caller: caller,
        cause: .app,
        time: Date(),
        change: change,
        expectedRevision: log.cursor.revision
    )
    _ = try await store.append([draft], removing: [])
}

extension AccessoryCandidate {
    /// Returns an accessory with a lightbulb (iid 10, its power 11) and a switch (iid 20, its power 21).
    static func gadget(_ name: String, id: UUID = UUID(), aid: UInt64 = 1) -> AccessoryCandidate {
        AccessoryCandidate(
            id: id,
            aid: aid,
            reportedName: name,
            category: .lightbulb,
            information: AccessoryInformation(),
            services: [
                service(1, HAPType.Service.accessoryInformation, [(2, HAPType.Characteristic.identify)]),
                service(10, HAPType.Service.lightbulb, [(11, HAPType.Characteristic.on)]),
                service(20, HAPType.Service.switch, [(21, HAPType.Characteristic.on)]),
            ]
        )
    }

    private static func service(
        _ iid: UInt64,
        _ type: HAPType,
        _ characteristics: [(iid: UInt64, type: HAPType)]
    ) -> ServiceShape {
        ServiceShape(
            iid: iid,
            type: type,
            characteristics: characteristics.map { iid, type in
                let definition = CharacteristicDefinition.of(type)
                return CharacteristicShape(
                    iid: iid,
                    type: type,
                    permissions: definition?.permissions ?? [],
                    metadata: definition?.metadata ?? CharacteristicMetadata(format: .bool)
                )
            }
        )
    }
}
