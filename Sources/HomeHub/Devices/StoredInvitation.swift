import Foundation

/// An invitation as the store keeps it.
struct StoredInvitation: Hashable, Sendable, Codable, Identifiable {
    /// The ID.
    let id: UUID
    /// The digest of the code.
    let digest: [UInt8]
    /// The home that it was created for.
    let home: UUID
    /// The invited user.
    let user: UUID
    /// The user who invites.
    let inviter: UUID
    /// When it was created.
    let created: Date
    /// When it expires.
    let expires: Date
}
