import HAPCatalog

extension Condition: Codable {
    private enum Key: String, CodingKey {
        case all, any, not, characteristic, calendar, betweenCalendar, sun, betweenSun, presence
    }

    private struct Comparing: Codable {
        var characteristic: CharacteristicIdentity
        var `is`: Comparison
        var value: CharacteristicValue
    }

    private struct SideOf<Moment: Codable>: Codable {
        var side: Side
        var moment: Moment
    }

    private struct Between<Moment: Codable>: Codable {
        var from: Moment
        var to: Moment
    }

    /// Decodes an object with one member, which names the kind of term.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        switch container.allKeys.first {
        case .all: self = .all(try container.decode([Condition].self, forKey: .all))
        case .any: self = .any(try container.decode([Condition].self, forKey: .any))
        case .not: self = .not(try container.decode(Condition.self, forKey: .not))
        case .characteristic:
            let comparing = try container.decode(Comparing.self, forKey: .characteristic)
            self = .characteristic(comparing.characteristic, comparing.is, comparing.value)
        case .calendar:
            let term = try container.decode(SideOf<CalendarMoment>.self, forKey: .calendar)
            self = .calendar(term.side, term.moment)
        case .betweenCalendar:
            let term = try container.decode(Between<CalendarMoment>.self, forKey: .betweenCalendar)
            self = .betweenCalendar(term.from, term.to)
        case .sun:
            let term = try container.decode(SideOf<SunMoment>.self, forKey: .sun)
            self = .sun(term.side, term.moment)
        case .betweenSun:
            let term = try container.decode(Between<SunMoment>.self, forKey: .betweenSun)
            self = .betweenSun(term.from, term.to)
        case .presence: self = .presence(try container.decode(Presence.self, forKey: .presence))
        case nil: self = .unknown(try JSONValue(from: decoder))
        }
    }

    /// Encodes an object with one member.
    package func encode(to encoder: any Encoder) throws {
        if case .unknown(let body) = self { return try body.encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .all(let terms): try container.encode(terms, forKey: .all)
        case .any(let terms): try container.encode(terms, forKey: .any)
        case .not(let term): try container.encode(term, forKey: .not)
        case .characteristic(let characteristic, let comparison, let value):
            let comparing = Comparing(characteristic: characteristic, is: comparison, value: value)
            try container.encode(comparing, forKey: .characteristic)
        case .calendar(let side, let moment):
            try container.encode(SideOf(side: side, moment: moment), forKey: .calendar)
        case .betweenCalendar(let from, let to):
            try container.encode(Between(from: from, to: to), forKey: .betweenCalendar)
        case .sun(let side, let moment): try container.encode(SideOf(side: side, moment: moment), forKey: .sun)
        case .betweenSun(let from, let to): try container.encode(Between(from: from, to: to), forKey: .betweenSun)
        case .presence(let presence): try container.encode(presence, forKey: .presence)
        case .unknown: break
        }
    }
}
