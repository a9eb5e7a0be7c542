import Foundation
import HAPCatalog
import HomeModel

/// The triggers that watch characteristics, by what they wait for. A change finds those that fire without looking at the
/// others, except for ranges.
struct CharacteristicIndex: Sendable {
    /// The watches of one characteristic.
    private struct Watches: Sendable {
        var anyValue: [EventReference] = []
        var values: [CharacteristicValue: [EventReference]] = [:]
        var ranges: [(range: ThresholdRange, event: EventReference)] = []

        var isEmpty: Bool { anyValue.isEmpty && values.isEmpty && ranges.isEmpty }
    }

    private var watches: [CharacteristicIdentity: Watches] = [:]
    private var accessories: [UUID: Int] = [:]

    /// Returns whether an event watches any characteristic of an accessory.
    func contains(accessory: UUID) -> Bool { accessories[accessory] != nil }

    /// Adds the watch of an event, if it watches a characteristic.
    mutating func insert(_ occurrence: TriggerEvent.Occurrence, _ event: EventReference) {
        switch occurrence {
        case .characteristic(let characteristic, let value?):
            watches[characteristic, default: Watches()].values[value.comparable, default: []].append(event)
            accessories[characteristic.accessory, default: 0] += 1
        case .characteristic(let characteristic, nil):
            watches[characteristic, default: Watches()].anyValue.append(event)
            accessories[characteristic.accessory, default: 0] += 1
        case .threshold(let characteristic, let range):
            watches[characteristic, default: Watches()].ranges.append((range, event))
            accessories[characteristic.accessory, default: 0] += 1
        default:
            return
        }
    }

    /// Removes the watch of an event.
    mutating func remove(_ occurrence: TriggerEvent.Occurrence, _ event: EventReference) {
        let characteristic: CharacteristicIdentity
        switch occurrence {
        case .characteristic(let watched, let value?):
            characteristic = watched
            watches[characteristic]?.values[value.comparable]?.removeAll { $0 == event }
            if watches[characteristic]?.values[value.comparable]?.isEmpty == true {
                watches[characteristic]?.values[value.comparable] = nil
            }
        case .characteristic(let watched, nil):
            characteristic = watched
            watches[characteristic]?.anyValue.removeAll { $0 == event }
        case .threshold(let watched, _):
            characteristic = watched
            watches[characteristic]?.ranges.removeAll { $0.event == event }
        default:
            return
        }
        if watches[characteristic]?.isEmpty == true { watches[characteristic] = nil }
        let count = (accessories[characteristic.accessory] ?? 0) - 1
        accessories[characteristic.accessory] = count > 0 ? count : nil
    }

    /// Returns the events that a reported value is.
    ///
    /// A value that repeats the previous one isn't an event, except for a momentary characteristic. A value enters a range
    /// if the previous value is known and wasn't in it; this is how often a value that stays near a bound fires.
    func events(
        of characteristic: CharacteristicIdentity,
        from old: CharacteristicValue?,
        to new: CharacteristicValue?
    ) -> [EventReference] {
        guard let watches = watches[characteristic], let new = new?.comparable else { return [] }
        let old = old?.comparable
        guard characteristic.type.isMomentary || (old != nil && old != new) else { return [] }
        var events = watches.anyValue
        if let matching = watches.values[new] { events += matching }
        if !watches.ranges.isEmpty, let number = new.number, let previous = old?.number {
            for (range, event) in watches.ranges where range.contains(number) && !range.contains(previous) {
                events.append(event)
            }
        }
        return events
    }
}

extension ThresholdRange {
    /// Returns whether a number is in the range; a range without bounds contains none.
    fileprivate func contains(_ number: Double) -> Bool {
        guard minimum != nil || maximum != nil else { return false }
        return number >= minimum ?? -.infinity && number <= maximum ?? .infinity
    }
}
