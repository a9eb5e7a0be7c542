import Foundation
import HAP
import HAPClient
import HomeModel
import HomeStore
import HubAPI
import Logging
import Testing

@testable import HomeHub

/// The wait for a newly paired accessory server ends in every case.
struct JoinTests {
    private static let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    /// An address where nothing listens. The session keeps trying, because that may be temporary.
    private static let nowhere = [AccessoryAddress(host: "127.0.0.1", port: 9)]

    private static let home = UUID()

    private static func connections(in folder: URL) async throws -> AccessoryConnections {
        let store = try await HomeStore.open(at: folder.appending(path: "hub"))
        let activities = ActivityStream()
        let live = LiveState(activities: activities)
        let user = UserRecord(id: UUID(), name: "Tester", role: .owner)
        return AccessoryConnections(
            database: try await HomeDatabase(
                store: store,
                activities: activities,
                owner: user,
                now: { Date() },
                log: log
            ),
            discovery: AccessoryDiscovery(network: nil, activities: activities),
            vault: PairingVault(store: store),
            live: live,
            hub: Caller(user: user.id, device: UUID(), app: "test.hub", client: UUID()),
            log: log
        )
    }

    private static func pairing() throws -> AccessoryPairing {
        let controller = ControllerIdentity(
            pairingID: try #require(PairingID(UUID().uuidString)),
            keyPair: LongTermKeyPair.random()
        )
        return AccessoryPairing(
            deviceID: DeviceID.random(),
            accessoryPublicKey: LongTermKeyPair.random().publicKey,
            controllerIdentity: controller
        )
    }

    private static func join(_ pairing: AccessoryPairing, _ connections: AccessoryConnections) -> Task<HubError?, Never>
    {
        Task {
            do throws(HubError) {
                _ = try await connections.join(pairing, in: home, at: nowhere)
                return nil
            } catch {
                return error
            }
        }
    }

    private static func session(
        to pairing: AccessoryPairing,
        _ connections: AccessoryConnections,
        otherThan earlier: AccessorySession? = nil
    ) async -> AccessorySession {
        while true {
            if let session = await connections.session(to: pairing.deviceID), session !== earlier { return session }
            await Task.yield()
        }
    }

    @Test func theHubsStopEndsIt() async throws {
        try await withDataFolder { folder in
            let connections = try await Self.connections(in: folder)
            let pairing = try Self.pairing()
            let joining = Self.join(pairing, connections)
            _ = await Self.session(to: pairing, connections)
            await connections.stop()
            #expect(await joining.value?.code == .connectionLost)
        }
    }

    @Test func anotherAdditionOfTheSameServerEndsIt() async throws {
        try await withDataFolder { folder in
            let connections = try await Self.connections(in: folder)
            let pairing = try Self.pairing()
            let first = Self.join(pairing, connections)
            let session = await Self.session(to: pairing, connections)
            let second = Self.join(pairing, connections)
            _ = await Self.session(to: pairing, connections, otherThan: session)
            #expect(await first.value?.code == .connectionLost)
            await connections.stop()
            #expect(await second.value?.code == .connectionLost)
        }
    }

    @Test func aServerThatWasLeavingMakesWayForItsNewPairing() async throws {
        try await withDataFolder { folder in
            let connections = try await Self.connections(in: folder)
            let pairing = try Self.pairing()
            let joining = Self.join(pairing, connections)
            _ = await Self.session(to: pairing, connections)
            await connections.leave(pairing.deviceID, from: Self.home)
            try await connections.prepareToJoin(pairing.deviceID)
            #expect(await connections.session(to: pairing.deviceID) == nil)
            #expect(await joining.value?.code == .connectionLost)
            await connections.stop()
        }
    }
}
