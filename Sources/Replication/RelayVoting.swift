package import Consensus

/// The relay as a voter.
package protocol RelayVoting: Sendable {
    /// Sends a message, and returns the answer; `nil` if there is none, because the relay can't be reached or refuses.
    func answer(_ message: VoterMessage) async -> VoterMessage?

    /// Stores the whole state at the relay, in place of its batches up to the state's position.
    ///
    /// - Parameters:
    ///   - base: The state.
    ///   - term: The term in which this hub leads.
    func sendBase(_ base: SealedBase, term: Int) async throws

    /// Returns the number of pieces of the state that the relay has instead of its first batches.
    func basePieces(at position: BatchPosition) async throws -> Int

    /// Returns a sealed piece of that state.
    func basePiece(_ number: Int, at position: BatchPosition) async throws -> [UInt8]
}
