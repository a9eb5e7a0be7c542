import Foundation
import HomeIdentity
import HubAPI

/// An invitation as the store keeps it. Its secret isn't stored.
struct StoredInvitation: Hashable, Sendable, Codable, Identifiable {
    /// A device that has proved that it knows the secret, and waits until somebody compares the digits.
    struct Pending: Hashable, Sendable, Codable {
        /// The ID that the device gets.
        var device: UUID
        /// The device's key.
        var key: PublicKey
        /// The device's name.
        var name: String
        /// The six digits, as a number.
        var digits: UInt32
        /// What others encrypt for it, if it is a hub.
        var box: PublicBox?
        /// When it proved it.
        var time: Date
    }

    /// The ID.
    let id: UUID
    /// The digest of the code with which a browser signs in; empty if none can.
    let digest: [UInt8]
    /// The home that it was created for; `nil` for a device of the inviter's own.
    let home: UUID?
    /// The invited user.
    let user: UUID
    /// The user who invites.
    let inviter: UUID
    /// When it was created.
    let created: Date
    /// When it expires.
    let expires: Date
    /// What the user was invited with; `nil` for a link of an earlier version, which only browsers can use.
    var kind: InvitationKind?
    /// The device of the inviter that created it; `nil` if it isn't known.
    var device: UUID?
    /// The name that the inviter gave the new device.
    var name: String?
    /// What the secret of a joining device is checked against; `nil` if only browsers can use it.
    var verifier: JoinVerifier?
    /// The number of wrong tries.
    var tries: Int?
    /// The device that waits.
    var pending: Pending?
    /// Whether another hub is invited, and not a device; `nil` is `false`.
    var isForHub: Bool?
    /// The door at the relay; `nil` if the invitation is for the hub's network alone.
    var door: StoredDoor?
    /// The hubs that the link leads to; `nil` if it isn't known.
    var hubs: [UUID]?

    /// The number of wrong tries that are left.
    var triesLeft: Int { max(0, Self.tries(of: kind) - (tries ?? 0)) }

    private static func tries(of kind: InvitationKind?) -> Int {
        kind == .code ? DeviceLimits.triesPerCode : DeviceLimits.triesPerLink
    }
}
