package import Foundation
package import HomeIdentity

/// Where the processes of a relay find each other.
package protocol ProcessDirectory: Sendable {
    /// Notes that a process works.
    ///
    /// - Returns: The processes that have done so in the last ``RelayLimits/processSeconds``, with this one.
    func beat(_ process: RelayProcess) async throws(RelayStoreError) -> [RelayProcess]

    /// Returns the numbers of the last entries of all feeds of houses, by house and feed.
    func heads(of houses: [HouseID]) async throws(RelayStoreError) -> [HouseID: [FeedID: Int64]]

    /// Notes that a process ends.
    func leave(_ id: UUID) async throws(RelayStoreError)
}
