import FeedFollowing
import Foundation
import HomeHub
import HomeIdentity
import HomeModel
import HubAPI
import HubClient
import PeerProcess
import Synchronization
import Testing

/// A person's device that joins a hub, and reads the person's feed from the relay as one does that was never there before.
final class FeedProbe: Sendable {
    // This is a class because its connection changes what it knows.

    let name: String
    let key = IdentityKey()
    let box = BoxKey()
    let relayKey = IdentityKey()
    private let location = Mutex<FeedLocation?>(nil)

    init(_ name: String = "Laptop") {
        self.name = name
    }

    /// Where the hub says that the feed is.
    var place: FeedLocation? { location.withLock { $0 } }

    /// Adds the device to the person of a connection, and returns its ID.
    @discardableResult
    func join(by person: HubConnection) async throws -> UUID {
        let vouching = VouchForDevice(name: name, kind: "agent", key: Data(key.publicKey.bytes))
        return try await person.call(HubMethods.vouchForDevice, vouching).id
    }

    /// Connects as the device's agent, and gives the hub its keys.
    func connect(to hub: HomeHub) async throws -> HubConnection {
        let authority = try hub.authority(of: key.publicKey)
        let connection = HubConnection(over: InProcessTransport(to: hub, as: authority)) { [weak self] event in
            if case .feed(let standing) = event { self?.location.withLock { $0 = standing.location } }
        }
        let introduction = AgentIntroduction(version: "1", platform: "linux")
        let hello = Hello(app: HubProtocol.agentApp, purpose: "", agent: introduction)
        _ = try await connection.call(HubMethods.hello, hello)
        try await open(over: connection)
        return connection
    }

    /// Gives the hub its keys.
    func open(over connection: HubConnection) async throws {
        let keys = FeedKeys(box: Data(box.publicBox.bytes), relayKey: Data(relayKey.publicKey.bytes))
        let standing = try await connection.call(HubMethods.openFeed, keys)
        location.withLock { $0 = standing.location }
    }

    /// Reads the feed from its last base on.
    func read(_ hub: HomeHub, at place: FeedLocation? = nil) async throws -> FeedFollower {
        let place = try #require(place ?? self.place)
        var follower = try FeedFollower(place, hub: hub.identity.publicKey, box: box, relayKey: relayKey)
        try await follower.read()
        return follower
    }

    /// Creates a reader that knows both hubs, and has read nothing.
    func reader(of hubs: [HomeHub]) throws -> FeedFollower {
        let keys = Dictionary(uniqueKeysWithValues: hubs.map { ($0.owner.device, $0.identity.publicKey) })
        return try FeedFollower(try #require(place), hubs: keys, box: box, relayKey: relayKey)
    }

    /// Waits until the feed has a room in a home, and returns what it has.
    @discardableResult
    func untilRead(_ room: String, in home: UUID, _ hub: HomeHub) async throws -> FeedFollower {
        func hasRoom(_ copy: FeedFollower?) -> Bool {
            copy?.view.homes[home]?.rooms.contains { $0.name == room } == true
        }
        let copy = try await Wait.value(where: hasRoom) { try? await read(hub) }
        try #require(hasRoom(copy), "the feed has no \(room)")
        return try #require(copy)
    }
}
