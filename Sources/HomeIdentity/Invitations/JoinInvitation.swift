/// An open invitation, as the exchange with a joining device needs it.
package struct JoinInvitation: Hashable, Sendable {
    /// The ID.
    package let id: InvitationID
    /// What the hub stores of the secret.
    package let verifier: JoinVerifier
    /// Whether people compare digits on both sides before the device is let in.
    package let comparesDigits: Bool

    /// Creates an invitation.
    package init(id: InvitationID, verifier: JoinVerifier, comparesDigits: Bool) {
        self.id = id
        self.verifier = verifier
        self.comparesDigits = comparesDigits
    }
}
