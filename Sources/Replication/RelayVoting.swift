package import Consensus
package import Foundation

/// The relay as a voter.
package protocol RelayVoting: Sendable {
    /// Sends a message, and returns the answer; `nil` if there is none, because the relay can't be reached or refuses.
    func answer(_ message: VoterMessage) async -> VoterMessage?

    /// Stores the whole state at the relay, sealed, in place of its batches up to a position.
    ///
    /// - Parameters:
    ///   - file: The state. It is removed after this returns.
    ///   - position: The position of the last batch that was applied to it.
    ///   - term: The term in which this hub leads.
    func sendBase(_ file: URL, at position: BatchPosition, term: Int) async throws

    /// Gets the state that the relay has instead of its first batches.
    ///
    /// - Returns: A file. The caller removes it.
    func base(at position: BatchPosition) async throws -> URL
}
