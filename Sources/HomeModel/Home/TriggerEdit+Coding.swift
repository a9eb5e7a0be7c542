import Foundation

extension TriggerEdit: Codable {
    private enum Key: String, CodingKey {
        case fireDate, timeZone, recurrence, events, endEvents, condition, weekdays, executesOnce
    }

    /// Decodes an object with one member, which names the change. A fire date is in milliseconds since 1970.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard container.allKeys.count == 1, let key = container.allKeys.first else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "not one change of a trigger"
            )
            throw DecodingError.dataCorrupted(context)
        }
        switch key {
        case .fireDate: self = .fireDate(Date(milliseconds: try container.decode(Int64.self, forKey: key)))
        case .timeZone: self = .timeZone(try container.decodeIfPresent(String.self, forKey: key))
        case .recurrence: self = .recurrence(try container.decodeIfPresent(RecurrenceInterval.self, forKey: key))
        case .events: self = .events(try container.decode([TriggerEvent].self, forKey: key))
        case .endEvents: self = .endEvents(try container.decode([TriggerEvent].self, forKey: key))
        case .condition: self = .condition(try container.decodeIfPresent(Condition.self, forKey: key))
        case .weekdays: self = .weekdays(try container.decode([Int].self, forKey: key))
        case .executesOnce: self = .executesOnce(try container.decode(Bool.self, forKey: key))
        }
    }

    /// Encodes the object; a value that is removed is `null`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .fireDate(let date): try container.encode(date.milliseconds, forKey: .fireDate)
        case .timeZone(let identifier): try container.encode(identifier, forKey: .timeZone)
        case .recurrence(let interval): try container.encode(interval, forKey: .recurrence)
        case .events(let events): try container.encode(events, forKey: .events)
        case .endEvents(let events): try container.encode(events, forKey: .endEvents)
        case .condition(let condition): try container.encode(condition, forKey: .condition)
        case .weekdays(let weekdays): try container.encode(weekdays, forKey: .weekdays)
        case .executesOnce(let executesOnce): try container.encode(executesOnce, forKey: .executesOnce)
        }
    }
}
