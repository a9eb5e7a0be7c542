package import Foundation

/// What a hub tells a device that joins.
package struct JoinReply: Hashable, Sendable, Codable {
    /// Whether the device can use the hub.
    package enum State: String, Hashable, Sendable, Codable {
        /// It can.
        case joined
        /// Somebody must confirm it first, who compares the digits.
        case waiting
    }

    /// The hub's name.
    package var hubName: String
    /// The person whose device it is now.
    package var user: UUID
    /// The person's name.
    package var userName: String
    /// The device's ID.
    package var device: UUID
    /// Whether the device can use the hub.
    package var state: State

    /// Creates a reply.
    package init(hubName: String, user: UUID, userName: String, device: UUID, state: State) {
        self.hubName = hubName
        self.user = user
        self.userName = userName
        self.device = device
        self.state = state
    }
}
