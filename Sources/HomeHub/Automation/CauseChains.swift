import Foundation

/// The triggers that led to a run, for runs that may still set off others.
///
/// A trigger that fires because of a value names the run that wrote it, and so all triggers before it. Only the newest runs
/// are kept: a loop sets itself off within moments.
struct CauseChains {
    /// The number of runs that are kept.
    static let limit = 4_096

    private var chains: [UUID: [UUID]] = [:]
    private var order: [UUID] = []

    /// Returns the triggers that led to an activity, first one first.
    func triggers(of activity: UUID?) -> [UUID] { activity.flatMap { chains[$0] } ?? [] }

    /// Adds an activity with the triggers that led to it.
    mutating func add(_ activity: UUID, _ triggers: [UUID]) {
        guard chains.updateValue(triggers, forKey: activity) == nil else { return }
        order.append(activity)
        guard order.count >= 2 * Self.limit else { return }
        for old in order.prefix(Self.limit) { chains[old] = nil }
        order.removeFirst(Self.limit)
    }
}
