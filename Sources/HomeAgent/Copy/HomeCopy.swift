import Dispatch
import Foundation
import GRDB
import HomeModel
import HubAPI
import Logging
import Synchronization

/// Writes a hub's homes to the device's disk, on a queue of its own: each change in a transaction, values from time to time.
///
/// A copy is never worth a failure: if the disk is full, the agent goes on in memory and writes the whole copy once it can.
final class HomeCopy: Sendable {
    // This is a class because it owns the file.

    private struct Pending {
        var changes: [HubEvent] = []
        /// The accessories whose values changed since they were written, by home.
        var values: [UUID: Set<UUID>] = [:]
        var hasNewRuns = false
        /// Whether the whole copy must be written.
        var needsEverything = false
        var isFlushScheduled = false
        var hasFailed = false
    }

    private let file: CopyFile?
    private let queue = DispatchQueue(label: "hearth.agent.copy", qos: .utility)
    private let pending = Mutex(Pending())
    private let log: Logger
    /// The state to write from. It is set before the first event.
    private let current: @Sendable () -> CopyState

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - file: The file; `nil` for a copy in memory only.
    ///   - current: A closure that returns the current state.
    init(_ file: CopyFile?, log: Logger, current: @escaping @Sendable () -> CopyState) {
        self.file = file
        self.log = log
        self.current = current
    }

    /// Records an event that the state includes.
    func record(_ event: HubEvent) {
        guard file != nil else { return }
        let isUrgent = pending.withLock { pending in
            switch event {
            case .reset:
                pending.needsEverything = true
                pending.changes = []
                return true
            case .change, .homeGone:
                guard pending.changes.count < AgentLimits.waitingChanges else {
                    pending.needsEverything = true
                    pending.changes = []
                    return false
                }
                pending.changes.append(event)
                return true
            case .resumed(let live):
                for (home, accessories) in live.values.accessories {
                    pending.values[home, default: []].formUnion(accessories)
                }
                pending.hasNewRuns = true
                return false
            case .values(let updates):
                for update in updates {
                    pending.values[update.home, default: []].insert(update.characteristic.accessory)
                }
                return false
            case .runs:
                pending.hasNewRuns = true
                return false
            default:
                return false
            }
        }
        if isUrgent { queue.async { self.write(withValues: false) } } else { scheduleFlush() }
    }

    /// Writes what is known of the hub's feed, and the copy that it leads to, in one transaction. Returns once both are on the
    /// disk.
    ///
    /// - Parameters:
    ///   - feed: What is known of the feed.
    ///   - state: The copy with the events.
    ///   - events: The events that the state has and the file hasn't.
    /// - Returns: Whether they are written, or the copy is in memory only.
    func store(_ feed: CopyFeed, with state: CopyState, _ events: [HubEvent]) -> Bool {
        guard file != nil else { return true }
        return queue.sync { write(withValues: false, Fed(feed: feed, state: state, events: events)) }
    }

    /// What a feed has told.
    private struct Fed {
        var feed: CopyFeed
        var state: CopyState
        var events: [HubEvent]
    }

    /// Records that the keys or the time of the last contact have changed.
    func recordContact() {
        guard file != nil else { return }
        queue.async { self.write(withValues: true) }
    }

    /// Writes everything that waits, and returns when it is written.
    func flush() {
        queue.sync { _ = write(withValues: true) }
    }

    /// Ends writing and closes the file.
    func close() {
        queue.sync {
            write(withValues: true)
            file?.close()
        }
    }

    private func scheduleFlush() {
        let isNew = pending.withLock { pending in
            defer { pending.isFlushScheduled = true }
            return !pending.isFlushScheduled
        }
        guard isNew else { return }
        let seconds = Int(AgentLimits.valueDelay.components.seconds)
        queue.asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            self?.pending.withLock { $0.isFlushScheduled = false }
            self?.write(withValues: true)
        }
    }

    @discardableResult
    private func write(withValues: Bool, _ fed: Fed? = nil) -> Bool {
        guard let file else { return true }
        let work = pending.withLock { pending in
            let work = pending
            pending.changes = []
            pending.needsEverything = false
            if withValues || work.needsEverything {
                pending.values = [:]
                pending.hasNewRuns = false
            }
            return work
        }
        let state = fed?.state ?? current()
        let isReset = fed?.events.contains(where: \.isReset) == true
        do {
            try file.write { transaction in
                if work.needsEverything || isReset {
                    try transaction.replace(with: state)
                } else {
                    for event in work.changes + (fed?.events ?? []) { try transaction.apply(event) }
                    if withValues {
                        for (home, accessories) in work.values {
                            for accessory in accessories {
                                let values = state.hub.values.values(of: accessory, in: home)
                                try transaction.set(values, accessory, home)
                            }
                        }
                        if work.hasNewRuns { try transaction.set(Array(state.hub.runs.values)) }
                    }
                    try transaction.set(state.keys)
                    try transaction.set(run: state.run, contact: state.lastContact)
                }
                if let fed { try transaction.set(fed.feed) }
            }
            let hadFailed = pending.withLock { $0.hasFailed.exchange(false) }
            if hadFailed { log.info("The copy of the homes is written again.") }
            return true
        } catch {
            let isFirst = pending.withLock { pending in
                pending.needsEverything = true
                return !pending.hasFailed.exchange(true)
            }
            if isFirst {
                log.warning(
                    "The copy of the homes can't be written. It goes on in memory.",
                    metadata: ["file": "\(file.path)", "error": "\(error)"]
                )
            }
            scheduleFlush()
            return false
        }
    }
}

extension Bool {
    /// Sets a value and returns the previous one.
    fileprivate mutating func exchange(_ value: Bool) -> Bool {
        defer { self = value }
        return self
    }
}
