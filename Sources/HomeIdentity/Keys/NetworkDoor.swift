/// The hub, as the listener on the network sees it.
package protocol NetworkDoor: Sendable {
    /// Returns what the hub knows of a key. The handshake of each connection asks, on any thread, so this takes a lock at
    /// most.
    func standing(of key: PublicKey) -> KeyStanding

    /// Returns an open invitation.
    ///
    /// - Parameter id: The invitation's ID; `nil` for the one that is open by a code.
    /// - Throws: `invitationEnded` if it doesn't exist, was used or withdrawn, or is too old.
    func invitation(_ id: InvitationID?) async throws(JoinFailure) -> JoinInvitation

    /// Records a wrong try durably, before the answer to it leaves.
    ///
    /// - Returns: The number of tries left. With 0, the invitation has ended.
    func countTry(of id: InvitationID) async throws(JoinFailure) -> Int

    /// Adds the device that has proved that it knows the invitation's secret, and ends the invitation, in one step.
    ///
    /// A repetition by the same key within ``JoinLimits/repetitionTime`` gets the same reply: the first one was lost on
    /// the way. Its digits differ from those before, and replace them.
    func join(
        _ request: JoinRequest,
        by key: PublicKey,
        with id: InvitationID,
        digits: CheckDigits
    ) async throws(JoinFailure) -> JoinReply
}
