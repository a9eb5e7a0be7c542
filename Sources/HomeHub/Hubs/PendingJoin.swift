import Foundation
package import HomeIdentity
import HomeStore

/// What a hub that is joining another one stores, so that it can go on after an interruption.
package struct PendingJoin: Hashable, Sendable {
    /// The invitation with which it joins.
    package var invitation: InvitationID
    /// The other hub's key.
    package var hub: PublicKey
    /// Where the other hub is.
    package var address: HubAddress
    /// The other hub's answer to the request to join.
    package var reply: JoinReply
    /// The digits that people compare.
    package var digits: CheckDigits

    /// Creates it.
    package init(
        invitation: InvitationID,
        hub: PublicKey,
        address: HubAddress,
        reply: JoinReply,
        digits: CheckDigits
    ) {
        self.invitation = invitation
        self.hub = hub
        self.address = address
        self.reply = reply
        self.digits = digits
    }

    /// The form in which it is stored.
    private struct Stored: Codable {
        var invitation: [UInt8]
        var hub: PublicKey
        var address: HubAddress
        var reply: JoinReply
        var digits: UInt32
    }

    /// Loads what is stored; `nil` for nothing.
    static func load(from store: HomeStore) async throws -> PendingJoin? {
        guard let text = try await store.metadata(.joining),
            let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)),
            let invitation = InvitationID(stored.invitation), let digits = CheckDigits(stored.digits)
        else { return nil }
        return PendingJoin(
            invitation: invitation,
            hub: stored.hub,
            address: stored.address,
            reply: stored.reply,
            digits: digits
        )
    }

    /// Stores it.
    func save(in store: HomeStore) async throws {
        let stored = Stored(
            invitation: invitation.bytes,
            hub: hub,
            address: address,
            reply: reply,
            digits: digits.number
        )
        try await store.setMetadata(String(decoding: try JSONEncoder().encode(stored), as: UTF8.self), for: .joining)
    }
}
