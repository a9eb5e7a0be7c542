package import Foundation
import HomeModel

/// The engine that decides when the triggers of all homes fire, and whether their conditions hold.
///
/// It is a value without clocks and I/O. The hub feeds it the homes, the events and the time, and carries out its
/// decisions:
///
/// 1. ``update(_:at:)`` with each home, and ``resume(_:in:since:)`` with each trigger whose effect is to be ended.
/// 2. ``start(at:lastSeen:known:)`` as soon as the clock is set. Until then, nothing fires.
/// 3. ``advance(to:known:)`` at ``nextWake``, and after the clock has changed. A manual clock stops at each of them.
/// 4. ``characteristicChanged(_:in:from:to:source:at:known:)`` and the like at each event, and ``update(_:at:)`` after
///    each change of a home.
///
/// A trigger that fires is first claimed by its ``OccurrenceKey``. Once it runs, the hub calls ``began(_:in:at:)``, which
/// makes its end events count.
package struct TriggerEngine: Sendable {
    /// The hub's time zone, in which times of day and days are meant. Set it by ``setTimeZone(_:at:)``.
    package internal(set) var timeZone: TimeZone

    var homes: [UUID: Home] = [:]
    var triggers: [TriggerKey: ActiveTrigger] = [:]
    var queue = DueQueue<EventReference>()
    var characteristics = CharacteristicIndex()
    /// The presence events of each home.
    var presences: [UUID: Set<EventReference>] = [:]
    /// The location events of each user of a home.
    var locations: [UUID: Set<EventReference>] = [:]
    /// The time that has passed; `nil` until the engine is started.
    var time: PassedTime?
    var nextOrder = 0

    /// Creates an engine without homes.
    ///
    /// - Parameter timeZone: The hub's time zone.
    package init(timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    /// When to call ``advance(to:known:)`` next; `nil` if nothing is due at any time.
    package var nextWake: Date? { queue.first?.due }

    /// Whether ``start(at:lastSeen:known:)`` has been called.
    package var isStarted: Bool { time != nil }

    /// Returns whether a trigger watches any characteristic of an accessory. The values of others need not be passed on.
    package func watches(accessory: UUID) -> Bool { watchedAccessories.contains(accessory) }

    /// The accessories of which triggers watch characteristics.
    package var watchedAccessories: AccessoryWatches { characteristics.accessories }

    /// Returns since when a trigger's effect lasts that its end events will end; `nil` if there is none.
    package func effect(of trigger: UUID, in home: UUID) -> Date? {
        triggers[TriggerKey(home: home, trigger: trigger)]?.effectSince
    }
}
