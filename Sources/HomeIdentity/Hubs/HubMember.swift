package import Foundation

/// A hub in a ``HubList``.
package struct HubMember: Hashable, Sendable, Codable {
    /// The hub's ID as a device.
    package let id: UUID
    /// The hub's key: for TLS and for all of its signatures.
    package let key: PublicKey
    /// What others encrypt for the hub.
    package let box: PublicBox

    /// Creates a member.
    package init(id: UUID, key: PublicKey, box: PublicBox) {
        self.id = id
        self.key = key
        self.box = box
    }
}
