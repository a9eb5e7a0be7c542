package import Foundation

/// Where the processes of a relay find each other.
package protocol ProcessDirectory: Sendable {
    /// Notes that a process works.
    ///
    /// - Returns: The processes that have done so in the last ``RelayLimits/processSeconds``, with this one.
    func beat(_ process: RelayProcess) async throws(RelayStoreError) -> [RelayProcess]

    /// Notes that a process ends.
    func leave(_ id: UUID) async throws(RelayStoreError)
}
