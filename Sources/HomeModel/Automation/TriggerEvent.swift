package import Foundation
package import HAPCatalog

/// An event that fires a trigger, or ends its effect.
package struct TriggerEvent: Hashable, Sendable, Identifiable {
    /// The kind of event. A kind that this version does not know is preserved and never happens.
    package enum Occurrence: Hashable, Sendable {
        /// A characteristic changes to the value, or to any value if it is `nil`.
        case characteristic(CharacteristicIdentity, CharacteristicValue?)
        /// A characteristic's value enters a range.
        case threshold(CharacteristicIdentity, ThresholdRange)
        /// Sunrise or sunset, or a time relative to it.
        case sun(SunMoment)
        /// A date or a time of day.
        case calendar(CalendarMoment)
        /// Users arrive or leave.
        case presence(Presence)
        /// The user who added the event enters or leaves a region.
        case location(LocationRegion)
        /// Another user's location, with the place hidden. Sent to clients and never stored: an edit that sends it back
        /// leaves the location unchanged.
        case hiddenLocation(HiddenLocation)
        /// The given number of seconds has passed since the action sets ran. Allowed as an end event only.
        case duration(seconds: Int)
        /// An event of a newer version, as it was decoded.
        case unknown(JSONValue)
    }

    /// The event's ID within its trigger.
    package var id: UUID
    /// The kind of event.
    package var occurrence: Occurrence

    /// Creates an event.
    package init(id: UUID, occurrence: Occurrence) {
        self.id = id
        self.occurrence = occurrence
    }

    /// The characteristic that the event observes; `nil` for other kinds.
    package var characteristic: CharacteristicIdentity? {
        switch occurrence {
        case .characteristic(let characteristic, _), .threshold(let characteristic, _): characteristic
        default: nil
        }
    }
}

extension TriggerEvent: Codable {
    private enum Key: String, CodingKey {
        case id, characteristic, threshold, sun, calendar, presence, location, hiddenLocation, duration
    }

    private struct Change: Codable {
        var characteristic: CharacteristicIdentity
        var value: CharacteristicValue?
    }

    private struct Threshold: Codable {
        var characteristic: CharacteristicIdentity
        var range: ThresholdRange
    }

    /// Decodes an object with an `id` and a member that names the kind.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        id = try container.decode(UUID.self, forKey: .id)
        switch container.allKeys.first(where: { $0 != .id }) {
        case .characteristic:
            let change = try container.decode(Change.self, forKey: .characteristic)
            occurrence = .characteristic(change.characteristic, change.value)
        case .threshold:
            let threshold = try container.decode(Threshold.self, forKey: .threshold)
            occurrence = .threshold(threshold.characteristic, threshold.range)
        case .sun: occurrence = .sun(try container.decode(SunMoment.self, forKey: .sun))
        case .calendar: occurrence = .calendar(try container.decode(CalendarMoment.self, forKey: .calendar))
        case .presence: occurrence = .presence(try container.decode(Presence.self, forKey: .presence))
        case .location: occurrence = .location(try container.decode(LocationRegion.self, forKey: .location))
        case .hiddenLocation:
            occurrence = .hiddenLocation(try container.decode(HiddenLocation.self, forKey: .hiddenLocation))
        case .duration: occurrence = .duration(seconds: try container.decode(Int.self, forKey: .duration))
        case .id, nil: occurrence = .unknown(try JSONValue(from: decoder))
        }
    }

    /// Encodes the object.
    package func encode(to encoder: any Encoder) throws {
        if case .unknown(let body) = occurrence { return try body.encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        switch occurrence {
        case .characteristic(let characteristic, let value):
            try container.encode(Change(characteristic: characteristic, value: value), forKey: .characteristic)
        case .threshold(let characteristic, let range):
            try container.encode(Threshold(characteristic: characteristic, range: range), forKey: .threshold)
        case .sun(let moment): try container.encode(moment, forKey: .sun)
        case .calendar(let moment): try container.encode(moment, forKey: .calendar)
        case .presence(let presence): try container.encode(presence, forKey: .presence)
        case .location(let region): try container.encode(region, forKey: .location)
        case .hiddenLocation(let location): try container.encode(location, forKey: .hiddenLocation)
        case .duration(let seconds): try container.encode(seconds, forKey: .duration)
        case .unknown: break
        }
    }
}
