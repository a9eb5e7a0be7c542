package import Foundation

/// Fetches the backup that a hub keeps at its relay.
package struct OpenVault: Hashable, Sendable, Codable {
    /// The hub's ID or name, or a home's; `nil` if the device has joined one hub only.
    package var hub: String?

    /// Creates the parameters.
    package init(hub: String? = nil) {
        self.hub = hub
    }
}

/// A backup that was fetched, still encrypted, and what opens it. ``AgentMethods/readVault`` returns its bytes.
package struct OpenedVault: Hashable, Sendable, Codable {
    /// The backup's ID.
    package var id: UUID
    /// Its length in bytes.
    package var length: Int
    /// The passphrase that opens it. The hub made it for this version alone.
    package var passphrase: String
    /// When the hub made it; `nil` if its clock was never set.
    package var time: Date?
    /// The hub's name.
    package var hub: String

    /// Creates a description.
    package init(id: UUID, length: Int, passphrase: String, time: Date?, hub: String) {
        self.id = id
        self.length = length
        self.passphrase = passphrase
        self.time = time
        self.hub = hub
    }
}
