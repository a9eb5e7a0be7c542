package import Foundation

/// What a hub has to do for its voter. Effects are carried out in order, each to its end before the next.
package enum VoterEffect: Hashable, Sendable {
    /// Write a change to the disk. If this fails, no later effect may be carried out, and the hub must start again.
    case persist(LogChange)
    /// Send a message, without waiting for it. It may get lost.
    case send(VoterMessage, to: Voter)
    /// Apply the batches up to a place, all in order.
    case apply(through: Int)
    /// Discard the batches up to a place. They were applied.
    case discard(through: Int)
    /// Send the state, with the position of the last batch that was applied to it. Then ``HubVoter/receiveBaseReply``.
    case sendBase(to: Voter)
    /// Get the base at a position from the relay. Then ``HubVoter/receiveFetchedBase``.
    case fetchBase(BatchPosition)
    /// Replace the state by a base that was received, and the batches up to it; keep later ones only if this says so.
    case installBase(BatchPosition, keepsLater: Bool)
    /// This hub leads and has applied everything that was committed before: it may decide.
    case beginLeading(term: Int)
    /// This hub no longer leads. What it proposed may or may not be committed later.
    case endLeading
    /// This hub follows another one; `nil` if it doesn't know which hub leads.
    case follow(UUID?)
}
