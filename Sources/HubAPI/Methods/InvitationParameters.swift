package import Foundation

/// What somebody is invited with. Unknown values are preserved.
package struct InvitationKind: Hashable, Sendable, Codable, RawRepresentable {
    /// The kind's name.
    package var rawValue: String

    /// Creates a kind from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Eight digits for the next ten minutes, for whoever stands next to the inviting user.
    package static let code = InvitationKind(rawValue: "code")
    /// A link for the next seven days. When a device joins with it, users compare six digits.
    package static let link = InvitationKind(rawValue: "link")
}

/// Invites a user of a home: one device of theirs can join or sign in.
package struct CreateInvitation: Hashable, Sendable, Codable {
    /// The user, by the ID in one of the caller's homes.
    package var user: ItemTarget
    /// What the user is invited with; `nil` for a link.
    package var kind: InvitationKind?

    /// Creates a request.
    package init(user: ItemTarget, kind: InvitationKind? = nil) {
        self.user = user
        self.kind = kind
    }
}

/// An open invitation: one device can join or sign in with it as the invited user, once.
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
    /// What the user was invited with; `nil` from hubs that know links to the page only.
    package var kind: InvitationKind?
    /// The number of wrong tries after which it ends; `nil` from hubs that don't count them.
    package var triesLeft: Int?

    /// Creates an invitation.
    package init(
        id: UUID,
        home: UUID,
        user: UUID,
        created: Date,
        expires: Date,
        kind: InvitationKind? = nil,
        triesLeft: Int? = nil
    ) {
        self.id = id
        self.home = home
        self.user = user
        self.created = created
        self.expires = expires
        self.kind = kind
        self.triesLeft = triesLeft
    }
}

/// A new invitation with its secret in all its forms, which the hub doesn't tell again.
package struct CreatedInvitation: Hashable, Sendable, Codable {
    /// The invitation.
    package var invitation: Invitation
    /// The links for browsers, the best first; empty if the hub doesn't serve HTTP. Each contains the same code.
    package var links: [LoginLink]
    /// The link for `hearth join`, which begins with `HEARTH:JOIN:`; `nil` if devices can't join over the network, or if
    /// the invitation is a code.
    package var joinLink: LoginLink?
    /// The code for `hearth join`, in the form `ddd-dd-ddd`; `nil` if the invitation is a link.
    package var code: String?
    /// The SHA-256 fingerprint of the hub's own certificate authority, if devices must trust it.
    package var fingerprint: String?

    /// Creates the result of a request.
    package init(
        invitation: Invitation,
        links: [LoginLink],
        joinLink: LoginLink? = nil,
        code: String? = nil,
        fingerprint: String?
    ) {
        self.invitation = invitation
        self.links = links
        self.joinLink = joinLink
        self.code = code
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
