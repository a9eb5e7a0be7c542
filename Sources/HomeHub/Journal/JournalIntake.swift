import Foundation

/// The activities that wait to be recorded, in order and bounded.
///
/// Publishers hold locks while they publish, so they only put activities here.
struct JournalIntake {
    /// The maximum number of waiting activities. A value, a failed write and an accessory's reachability count as one each.
    static let limit = 20_000
    /// The number of waiting activities that are taken at once. Fewer wait for others that happen in the same moment.
    static let promptly = 1_000
    /// The number of activities up to which they are recorded by the hub's executor.
    static let few = 20
    /// The time for which activities are collected, so that not each of them wakes a task.
    static let moment = Duration.milliseconds(100)

    /// A task that the caller must start.
    enum Start {
        /// A task on the hub's executor that takes what waits now, unless that has become more than a few.
        case here
        /// A task that takes what waits now, which is much.
        case now
        /// A task that takes what waits after a moment.
        case later
    }

    enum Item {
        case activity(Activity, Date)
        /// The homes' state after changes that were dropped.
        case state(HomeDatabase.State)
    }

    private var items: [Item] = []
    private(set) var size = 0
    /// The number of activities that were dropped since the last ``take()``.
    private var dropped = 0
    /// The task that will take what waits; `nil` if there is none.
    private var scheduled: Start?
    /// When something was taken last.
    private var lastTaken: ContinuousClock.Instant?

    /// Adds an activity, unless too many wait.
    ///
    /// - Parameters:
    ///   - time: The hub's time.
    ///   - now: The time by which moments pass.
    /// - Returns: The task that the caller must start; `nil` if there is no need to.
    mutating func add(_ activity: Activity, at time: Date, _ now: ContinuousClock.Instant) -> Start? {
        let weight = activity.weight
        guard weight > 0 else { return nil }
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
        let isMany = size >= Self.promptly
        guard scheduled == nil || scheduled != .now && isMany else { return nil }
        let isFirst = lastTaken.map { now - $0 >= Self.moment } ?? true
        let due: Start = isMany ? .now : isFirst && activity.isBrief && size <= Self.few ? .here : .later
        scheduled = due
        return due
    }

    /// Removes and returns what waits, and the number of dropped activities.
    mutating func take(_ now: ContinuousClock.Instant) -> (items: [Item], dropped: Int) {
        // A copy of the whole, because with optimization Swift 6.3.1 releases an array too early that was taken out of a
        // struct, if the struct is then replaced and a field is set whose size isn't known to the compiler.
        let former = self
        self = JournalIntake()
        lastTaken = now
        return (former.items, former.dropped)
    }
}

extension Activity {
    /// Whether to record it takes little time. A change of the home can be large.
    fileprivate var isBrief: Bool {
        if case .stored = self { false } else { true }
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
