import Foundation
import HomeIdentity
import HubAPI

@testable import HomeHub

/// A user's device with an agent, as a reader of the user's feed.
struct FeedDevice {
    var name = "Laptop"
    var key = IdentityKey()
    var box = BoxKey()
    var relayKey = IdentityKey()

    /// The keys that the hub gets.
    var keys: FeedKeys {
        FeedKeys(box: Data(box.publicBox.bytes), relayKey: Data(relayKey.publicKey.bytes))
    }

    /// Adds the device to a user's, and returns its ID.
    func add(by user: RecordingHubClient) async throws -> UUID {
        let vouching = VouchForDevice(name: name, kind: "agent", key: Data(key.publicKey.bytes))
        return try await user.call(HubMethods.vouchForDevice, vouching).id
    }

    /// Connects as the device's agent.
    func agent(_ hub: HomeHub) async throws -> RecordingHubClient {
        let introduction = AgentIntroduction(version: "1", platform: "linux")
        let authority = try hub.authority(of: key.publicKey)
        return try await RecordingHubClient(to: hub, with: authority, app: "hearth.agent", agent: introduction)
    }
}
