import Automations
import Foundation
import HomeModel

/// Omits that triggers did not fire if the journal already says so for the same reason in the same minute.
///
/// A thousand triggers may watch a value that changes all the time.
struct HeldThrottle {
    private static let minute: TimeInterval = 60

    /// The first trigger of those that an event holds back.
    private struct Key: Hashable {
        var trigger: UUID
        var event: UUID
    }

    private var began = Date.distantPast
    private var recorded: [UUID: [Key: HeldTriggers]] = [:]

    /// Returns whether entries are made of triggers that didn't fire.
    mutating func admits(_ held: HeldTriggers) -> Bool {
        guard let first = held.members.first else { return false }
        let age = held.time.timeIntervalSince(began)
        // A clock that is set back begins another minute.
        if age < 0 || age >= Self.minute { self = HeldThrottle(began: held.time) }
        let key = Key(trigger: first.trigger, event: first.event.id)
        let last = recorded[held.home, default: [:]].updateValue(held, forKey: key)
        // The lists are mostly the same in memory, and so compared at once.
        return last?.observations != held.observations || last?.members != held.members || last?.parent != held.parent
    }

    /// Makes the next entry of each trigger of a home new, because one of them fired in the meantime.
    mutating func reset(home: UUID) { recorded[home] = nil }

    init() {}

    private init(began: Date) { self.began = began }
}
