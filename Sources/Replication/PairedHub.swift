package import Consensus
package import Foundation

/// The connection to the other hub.
package protocol PairedHub: Sendable {
    /// Sends a message, or drops it if the other hub can't be reached or has too much to receive. Returns at once.
    ///
    /// - Parameter message: At most ``Consensus/ConsensusLimits/messageBytes``. At the other hub it goes to
    ///   ``Replicator/receive(_:)``.
    func send(_ message: [UInt8])

    /// Sends the whole state. At the other hub it goes to ``Replicator/receiveBase(_:term:)``.
    ///
    /// - Parameters:
    ///   - file: The state. It is removed after this returns.
    ///   - term: The term in which this hub leads.
    /// - Returns: The position that the other hub says it has installed.
    func sendBase(_ file: URL, term: Int) async throws -> BatchPosition
}
