import Foundation
import HomeIdentity
import HubAPI

/// The hub as the listener on the network sees it: who may connect, and how new devices join.
struct JoinDesk: NetworkDoor {
    let table: DeviceTable
    let invitations: InvitationManager
    let hubs: HubTable

    func standing(of key: PublicKey) -> KeyStanding { hubs.isHub(key) ? .hub : table.standing(of: key) }

    func invitation(_ id: InvitationID?) async throws(JoinFailure) -> JoinInvitation {
        try await invitations.open(id)
    }

    func countTry(of id: InvitationID) async throws(JoinFailure) -> Int {
        try await invitations.countTry(of: id)
    }

    func join(
        _ request: JoinRequest,
        by key: PublicKey,
        with id: InvitationID,
        digits: CheckDigits
    ) async throws(JoinFailure) -> JoinReply {
        try await invitations.join(request, by: key, with: id, digits: digits)
    }

    /// The error for a device that was removed.
    static let removed = HubError(
        .deviceRemoved,
        "This device was removed. To use the homes again, join with a new invitation."
    )
    /// The error for a device that waited for somebody to compare the digits, and wasn't let in.
    static let declined = HubError(
        .deviceRemoved,
        "This device was not let in. To use the homes, join with a new invitation."
    )
    /// The error for a device that this hub, one of two, doesn't know and that wasn't removed.
    static let notKnownYet = HubError(
        .noLeader,
        "This hub is one of two, and doesn't know this device. Try again in some seconds."
    )
    /// The error for a device that waits for somebody to compare the digits.
    static let pending = HubError(
        .joinPending,
        "This device waits until somebody at the hub confirms the digits that it showed."
    )
    /// The error for a device that a backup brought back.
    static let suspended = HubError(
        .joinPending,
        "The hub was restored from a backup. This device waits until the owner confirms it."
    )
}
