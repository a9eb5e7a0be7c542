/// The time or the events at which a trigger fires. A kind that this version does not know is preserved and never
/// fires.
package enum TriggerDefinition: Hashable, Sendable {
    /// A timer that fires once or repeatedly.
    case timer(TimerSchedule)
    /// A rule that fires on events.
    case event(EventRule)
    /// A definition of a newer version, as it was decoded.
    case unknown(JSONValue)
}

extension TriggerDefinition: Codable {
    private enum Key: String, CodingKey {
        case timer, event
    }

    /// Decodes an object with one member.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        if container.contains(.timer) {
            self = .timer(try container.decode(TimerSchedule.self, forKey: .timer))
        } else if container.contains(.event) {
            self = .event(try container.decode(EventRule.self, forKey: .event))
        } else {
            self = .unknown(try JSONValue(from: decoder))
        }
    }

    /// Encodes an object with one member.
    package func encode(to encoder: any Encoder) throws {
        if case .unknown(let body) = self { return try body.encode(to: encoder) }
        var container = encoder.container(keyedBy: Key.self)
        switch self {
        case .timer(let schedule): try container.encode(schedule, forKey: .timer)
        case .event(let rule): try container.encode(rule, forKey: .event)
        case .unknown: break
        }
    }
}
