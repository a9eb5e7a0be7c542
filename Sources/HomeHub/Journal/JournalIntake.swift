import Foundation
import HomeModel

/// The activities that wait to be recorded, in order and bounded.
///
/// Publishers hold locks while they publish, so they only put activities here.
struct JournalIntake {
    /// The maximum number of waiting activities. A value, a failed write and an accessory's reachability count as one each.
    static let limit = 20_000
    /// The number of waiting activities that are taken at once. Fewer wait for others that happen in the same moment, or,
    /// if accessories report them, for longer.
    static let promptly = 1_000
    /// The number of activities up to which they are recorded by the hub's executor.
    static let few = 20
    /// The number of activities for which there is always room, if as many waited before.
    private static let reserved = 20
    /// The time for which activities are collected, besides reports, so that not each of them wakes a task.
    static let moment = Duration.milliseconds(100)

    /// A task that the caller must start.
    enum Start: Hashable {
        /// A task that takes what accessories have reported, after the time that this may wait, unless something else has
        /// taken it before and its timer isn't the intake's any longer.
        case report(timer: Int)
        /// A task that takes what waits after a moment.
        case later
        /// A task on the hub's executor that takes what waits now, unless that has become more than a few.
        case here
        /// A task that takes what waits now, which is much.
        case now

        /// How soon it takes what waits, in comparison.
        fileprivate var urgency: Int {
            switch self {
            case .report: 0
            case .later, .here: 1
            case .now: 2
            }
        }
    }

    enum Item {
        case activity(Activity, Date)
        /// The homes' state after changes that were dropped.
        case state(HomeDatabase.State)
    }

    /// Whether a client follows the journal, so that what accessories report doesn't wait longer than all else.
    var isFollowed = false
    private var items: [Item] = []
    private(set) var size = 0
    /// The number of activities that were dropped since the last ``take(_:isFollowed:)``.
    private var dropped = 0
    /// The task that will take what waits; `nil` if there is none.
    private var scheduled: Start?
    /// The timer of the reports that wait. Earlier ones do nothing.
    private(set) var timer = 0
    /// When something was taken last.
    private var lastTaken: ContinuousClock.Instant?
    /// When the first of what waits came.
    private var first: ContinuousClock.Instant?

    /// Adds an activity, unless too many wait.
    ///
    /// - Parameters:
    ///   - time: The hub's time.
    ///   - now: The time by which moments pass.
    /// - Returns: The task that the caller must start; `nil` if there is no need to.
    mutating func add(_ activity: Activity, at time: Date, _ now: ContinuousClock.Instant) -> Start? {
        let weight = activity.weight
        guard weight > 0 else { return nil }
        if first == nil { first = now }
        if size + weight <= Self.limit {
            items.append(.activity(activity, time))
            size += weight
        } else {
            dropped += weight
            if case .stored(let request) = activity {
                // Names come from the state, so the newest is always kept.
                if case .state? = items.last { items.removeLast() }
                items.append(.state(request.state))
            }
        }
        let due = start(for: activity, now)
        guard scheduled.map({ $0.urgency < due.urgency }) ?? true else { return nil }
        scheduled = due
        return due
    }

    private func start(for activity: Activity, _ now: ContinuousClock.Instant) -> Start {
        if size >= Self.promptly { return .now }
        // What an accessory reports again and again is cheaper to record together, and nobody waits for it.
        if activity.isReport, !isFollowed { return .report(timer: timer) }
        let isFirst = lastTaken.map { now - $0 >= Self.moment } ?? true
        return isFirst && activity.isBrief && size <= Self.few ? .here : .later
    }

    /// Removes and returns what waits, with the number of dropped activities, and how long the first has waited.
    ///
    /// - Parameter isFollowed: Whether a client follows the journal from now on.
    mutating func take(
        _ now: ContinuousClock.Instant,
        isFollowed: Bool
    ) -> (items: [Item], dropped: Int, wait: Duration) {
        // A copy of the whole, because with optimization Swift 6.3.1 releases an array too early that was taken out of a
        // struct, if the struct is then replaced and a field is set whose size isn't known to the compiler.
        let former = self
        self = JournalIntake()
        self.isFollowed = isFollowed
        timer = former.timer + 1
        lastTaken = now
        // About as much is likely to come again, and a list that grows is copied.
        items.reserveCapacity(min(former.items.count, Self.reserved))
        return (former.items, former.dropped, former.first.map { now - $0 } ?? .zero)
    }
}

extension Activity {
    /// Whether to record it takes little time. A change of the home can be large.
    fileprivate var isBrief: Bool {
        if case .stored = self { false } else { true }
    }

    /// Whether it is what accessories did by themselves.
    fileprivate var isReport: Bool {
        if case .values(let values) = self { values.allSatisfy { $0.origin.cause == .accessory } } else { false }
    }

    /// The number of activities that it counts as; 0 if it isn't recorded.
    fileprivate var weight: Int {
        switch self {
        case .stored(let request): max(1, request.entries.count)
        case .values(let values), .repeatedWrites(let values): values.count
        case .failedWrites(let failures): failures.count
        case .reachability(let updates): updates.count
        case .trigger, .held, .scene, .presence, .device, .sync, .hub, .said: 1
        case .runs, .asked, .questionClosed, .discovered, .discoveryLost: 0
        }
    }
}
