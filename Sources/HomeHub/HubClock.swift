package import Foundation
import HomeModel
import HomeStore
import HubAPI
import Synchronization

/// The hub's time: the system's, or a manual time that only advances on request.
///
/// A data folder is created for one kind of clock, and no hub with the other kind opens it, because a manual time may be
/// weeks away from the real one.
package final class HubClock: Sendable {
    // This is a class because all parts of the hub share the manual time.

    /// The kind of clock.
    package enum Kind: String, Sendable, CaseIterable {
        /// The system's clock.
        case system
        /// A clock that only advances on request.
        case manual
    }

    /// The kind of clock.
    package let kind: Kind
    private let system: @Sendable () -> Date
    private let manual: Mutex<Date>

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - kind: The kind of clock.
    ///   - system: A closure that returns the system's time. A manual clock starts at it.
    package init(_ kind: Kind, system: @escaping @Sendable () -> Date) {
        self.kind = kind
        self.system = system
        // Whole milliseconds, as the time is stored and told.
        manual = Mutex(Date(milliseconds: system().milliseconds))
    }

    /// The hub's time.
    package var now: Date { kind == .manual ? manual.withLock { $0 } : system() }

    /// The time on a clock that also runs while the machine sleeps, and that isn't set. A manual clock is its own.
    var running: Duration { .milliseconds(kind == .manual ? now.milliseconds : RunningClock.now) }

    /// Returns how long ago a time was, or zero if it wasn't yet.
    func time(since time: Date) -> Duration { .milliseconds(max(0, now.milliseconds - time.milliseconds)) }

    /// Sets a manual clock.
    func set(_ time: Date) { manual.withLock { $0 = Date(milliseconds: time.milliseconds) } }

    /// Opens a store's clock: marks a new store with the kind, and restores the manual time of an old one.
    ///
    /// - Throws: `clockKindMismatch` if the store was created with the other kind.
    func open(in store: HomeStore) async throws {
        let isNew = try await store.metadata(.hubUser) == nil
        let mark = try await store.metadata(.clock).flatMap { Kind(rawValue: $0) } ?? (isNew ? nil : .system)
        if let mark, mark != kind {
            throw HubError(
                .clockKindMismatch,
                "The data folder was created with \(mark.description), and this hub uses \(kind.description). "
                    + "Start the hub with --clock \(mark.rawValue), or with another data folder."
            )
        }
        if mark == nil || isNew { try await store.setMetadata(kind.rawValue, for: .clock) }
        guard kind == .manual else { return }
        if let time = try await store.metadata(.manualTime).flatMap({ Int64($0) }) {
            set(Date(milliseconds: time))
        } else {
            try await keep(in: store)
        }
    }

    /// Stores the manual time.
    func keep(in store: HomeStore) async throws(StoreError) {
        try await store.setMetadata("\(now.milliseconds)", for: .manualTime)
    }
}

extension HubClock.Kind: CustomStringConvertible {
    /// The kind in words.
    package var description: String { self == .manual ? "a manual clock" : "the system's clock" }
}
