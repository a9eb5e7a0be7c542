import Foundation
import HAPCatalog
import HomeModel

/// The triggers that watch characteristics, by what they wait for. A change finds those that fire without looking at the
/// others, except for ranges. Triggers that share a condition are found together, so that it is evaluated once.
struct CharacteristicIndex: Sendable {
    /// A condition of triggers of a home.
    struct SharedCondition: Hashable, Sendable {
        var home: UUID
        var condition: Condition
    }

    /// The events that wait for the same.
    struct Group: Sendable {
        /// The events that are decided one by one.
        fileprivate(set) var single: [EventReference] = []
        /// The events of triggers that only wait for a condition besides, by that condition.
        fileprivate(set) var conditional: [SharedCondition: [HeldTriggers.Member]] = [:]

        fileprivate var isEmpty: Bool { single.isEmpty && conditional.isEmpty }

        fileprivate mutating func insert(_ watch: Watch) {
            if let shared = watch.shared {
                conditional[shared, default: []].append(watch.member)
            } else {
                single.append(watch.reference)
            }
        }

        fileprivate mutating func remove(_ watch: Watch) {
            guard let shared = watch.shared else { return single.removeAll { $0 == watch.reference } }
            conditional[shared]?.removeAll { $0 == watch.member }
            if conditional[shared]?.isEmpty == true { conditional[shared] = nil }
        }
    }

    /// An event that may watch a characteristic.
    struct Watch {
        var event: TriggerEvent
        var reference: EventReference
        /// The condition with which the event is decided together with others; `nil` if it is decided alone.
        var condition: Condition?

        fileprivate var shared: SharedCondition? {
            condition.map { SharedCondition(home: reference.trigger.home, condition: $0) }
        }

        fileprivate var member: HeldTriggers.Member {
            var member = HeldTriggers.Member(trigger: reference.trigger.trigger, event: event)
            member.position = reference.position
            return member
        }
    }

    /// The watches of one characteristic.
    private struct Watches: Sendable {
        var anyValue = Group()
        var values: [CharacteristicValue: Group] = [:]
        var ranges: [ThresholdRange: Group] = [:]

        var isEmpty: Bool { anyValue.isEmpty && values.isEmpty && ranges.isEmpty }
    }

    private var watches: [CharacteristicIdentity: Watches] = [:]
    /// The accessories of the watched characteristics.
    private(set) var accessories = AccessoryWatches()

    /// Adds the watch of an event, if it watches a characteristic.
    mutating func insert(_ watch: Watch) {
        guard let characteristic = watch.event.characteristic else { return }
        change(characteristic, watch) { $0.insert(watch) }
        accessories.insert(characteristic.accessory)
    }

    /// Removes the watch of an event.
    mutating func remove(_ watch: Watch) {
        guard let characteristic = watch.event.characteristic else { return }
        change(characteristic, watch) { $0.remove(watch) }
        if watches[characteristic]?.isEmpty == true { watches[characteristic] = nil }
        accessories.remove(characteristic.accessory)
    }

    /// Changes the group to which a watch belongs.
    private mutating func change(
        _ characteristic: CharacteristicIdentity,
        _ watch: Watch,
        _ body: (inout Group) -> Void
    ) {
        switch watch.event.occurrence {
        case .characteristic(_, let value?):
            let value = value.comparable
            body(&watches[characteristic, default: Watches()].values[value, default: Group()])
            if watches[characteristic]?.values[value]?.isEmpty == true { watches[characteristic]?.values[value] = nil }
        case .threshold(_, let range):
            body(&watches[characteristic, default: Watches()].ranges[range, default: Group()])
            if watches[characteristic]?.ranges[range]?.isEmpty == true { watches[characteristic]?.ranges[range] = nil }
        default:
            body(&watches[characteristic, default: Watches()].anyValue)
        }
    }

    /// Returns the events that a reported value is.
    ///
    /// A value that repeats the previous one isn't an event, except for a momentary characteristic. A value enters a range
    /// if the previous value is known and wasn't in it; this is how often a value that stays near a bound fires.
    func events(
        of characteristic: CharacteristicIdentity,
        from old: CharacteristicValue?,
        to new: CharacteristicValue?
    ) -> [Group] {
        guard let watches = watches[characteristic], let new = new?.comparable else { return [] }
        let old = old?.comparable
        guard characteristic.type.isMomentary || (old != nil && old != new) else { return [] }
        var groups = watches.anyValue.isEmpty ? [] : [watches.anyValue]
        if let matching = watches.values[new] { groups.append(matching) }
        if !watches.ranges.isEmpty, let number = new.number, let previous = old?.number {
            for (range, group) in watches.ranges where range.contains(number) && !range.contains(previous) {
                groups.append(group)
            }
        }
        return groups
    }
}

extension ThresholdRange {
    /// Returns whether a number is in the range; a range without bounds contains none.
    fileprivate func contains(_ number: Double) -> Bool {
        guard minimum != nil || maximum != nil else { return false }
        return number >= minimum ?? -.infinity && number <= maximum ?? .infinity
    }
}
