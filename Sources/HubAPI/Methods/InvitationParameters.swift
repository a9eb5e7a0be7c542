package import Foundation

/// Invites a user of a home to sign in.
package struct CreateInvitation: Hashable, Sendable, Codable {
    /// The user, by the ID in one of the caller's homes.
    package var user: ItemTarget

    /// Creates a request.
    package init(user: ItemTarget) {
        self.user = user
    }
}

/// An open invitation: one device can sign in with it as the invited user, once.
package struct Invitation: Hashable, Sendable, Codable, Identifiable {
    /// The ID.
    package var id: UUID
    /// The home.
    package var home: UUID
    /// The user's ID in the home.
    package var user: UUID
    /// When it was created.
    package var created: Date
    /// When it expires.
    package var expires: Date

    /// Creates an invitation.
    package init(id: UUID, home: UUID, user: UUID, created: Date, expires: Date) {
        self.id = id
        self.home = home
        self.user = user
        self.created = created
        self.expires = expires
    }
}

/// A new invitation with its links, which the hub doesn't tell again.
package struct CreatedInvitation: Hashable, Sendable, Codable {
    /// The invitation.
    package var invitation: Invitation
    /// The links, the best first. Each contains the same code.
    package var links: [LoginLink]
    /// The SHA-256 fingerprint of the hub's own certificate authority, if devices must trust it.
    package var fingerprint: String?

    /// Creates the result of a request.
    package init(invitation: Invitation, links: [LoginLink], fingerprint: String?) {
        self.invitation = invitation
        self.links = links
        self.fingerprint = fingerprint
    }
}

/// The open invitations of a home.
package struct Invitations: Hashable, Sendable, Codable {
    /// The invitations, the oldest first.
    package var invitations: [Invitation]

    /// Creates a list.
    package init(invitations: [Invitation]) {
        self.invitations = invitations
    }
}

/// Identifies an invitation.
package struct InvitationTarget: Hashable, Sendable, Codable {
    /// The ID.
    package var id: UUID

    /// Creates a target.
    package init(id: UUID) {
        self.id = id
    }
}
