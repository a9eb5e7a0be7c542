import Foundation
import HomeIdentity
import RelayAPI
import Synchronization

/// Which houses this process serves: all, or those that it has among the processes of the relay.
///
/// While a process comes or goes, two can take a house for theirs. That never spoils a feed, because appending compares and
/// swaps. Whoever follows a feed at one of them may not hear of what the other appends, so until all must have heard of the
/// change, the store is asked as well.
final class HouseAssignment: Sendable {
    // This is a class because all requests share it.

    private struct State {
        var process: RelayProcess
        var ring: ProcessRing
        /// When the directory last answered.
        var seen: ContinuousClock.Instant
        /// When it last named other processes than before.
        var changed: ContinuousClock.Instant
    }

    private let directory: any ProcessDirectory
    private let id = UUID()
    private let state: Mutex<State?> = Mutex(nil)

    init(_ directory: any ProcessDirectory) {
        self.directory = directory
    }

    /// Tells the directory that this process works, and learns of the others.
    ///
    /// - Parameter url: The URL under which clients reach this process.
    func beat(at url: String) async throws(RelayStoreError) {
        // The time before counts: what the directory wrote isn't younger.
        let now = ContinuousClock.now
        let process = RelayProcess(id: id, url: url)
        let ring = ProcessRing(try await directory.beat(process))
        state.withLock { state in
            let changed = state?.ring == ring ? state?.changed : nil
            state = State(process: process, ring: ring, seen: now, changed: changed ?? .now)
        }
    }

    /// Whether the last process came or went longer ago than a time.
    func isSettled(for time: Duration) -> Bool {
        let changed = state.withLock { $0?.changed }
        return changed.map { ContinuousClock.now - $0 > time } ?? false
    }

    /// Returns the numbers of the last entries of houses, as ``RelayAPI/ProcessDirectory`` does.
    func heads(of houses: [HouseID]) async throws(RelayStoreError) -> [HouseID: [FeedID: Int64]] {
        try await directory.heads(of: houses)
    }

    /// Leaves the houses to the others.
    func leave() async {
        state.withLock { $0 = nil }
        try? await directory.leave(id)
    }

    /// Throws unless this process serves a house: `elsewhere` with the URL of the one that does, or `storeFailure` if this
    /// process hasn't heard of the others for so long that they have taken its houses.
    func check(_ house: HouseID) throws(RelayError) {
        let state = state.withLock { $0 }
        guard let state, ContinuousClock.now - state.seen < .seconds(RelayLimits.processSeconds) else {
            throw RelayStoreError.failure("").answer
        }
        guard let owner = state.ring.owner(of: house), owner.id != id else { return }
        // Processes with one URL are behind a proxy, which decides.
        guard owner.url != state.process.url else { return }
        throw RelayError(.elsewhere, "Another process of this relay serves the house. Ask it.", at: owner.url)
    }

    /// Returns whether this process serves a house.
    func serves(_ house: HouseID) -> Bool { (try? check(house)) != nil }
}
