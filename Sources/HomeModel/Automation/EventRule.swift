/// When an event trigger fires: any of its events happens while its condition holds.
package struct EventRule: Hashable, Sendable {
    /// The events, any one of which is enough.
    package var events: [TriggerEvent]
    /// The events after which what the action sets did is undone; none if empty.
    package var endEvents: [TriggerEvent]
    /// What has to hold when an event happens; nothing if nil.
    package var condition: Condition?
    /// The days on which it fires, 1 (Sunday) to 7; every day if empty. Ascending, each once.
    package var weekdays: [Int]
    /// Whether it fires once and is disabled then.
    package var executesOnce: Bool

    /// Makes a rule.
    package init(
        events: [TriggerEvent],
        endEvents: [TriggerEvent] = [],
        condition: Condition? = nil,
        weekdays: [Int] = [],
        executesOnce: Bool = false
    ) {
        self.events = events
        self.endEvents = endEvents
        self.condition = condition
        self.weekdays = weekdays
        self.executesOnce = executesOnce
    }
}

extension EventRule: Codable {
    private enum Key: String, CodingKey {
        case events, endEvents, condition, weekdays, executesOnce
    }

    /// Reads a rule. Members that have a usual value may be missing.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            events: try container.decode([TriggerEvent].self, forKey: .events),
            endEvents: try container.decodeIfPresent([TriggerEvent].self, forKey: .endEvents) ?? [],
            condition: try container.decodeIfPresent(Condition.self, forKey: .condition),
            weekdays: try container.decodeIfPresent([Int].self, forKey: .weekdays) ?? [],
            executesOnce: try container.decodeIfPresent(Bool.self, forKey: .executesOnce) ?? false
        )
    }

    /// Writes the rule without members that have their usual value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(events, forKey: .events)
        if !endEvents.isEmpty { try container.encode(endEvents, forKey: .endEvents) }
        try container.encodeIfPresent(condition, forKey: .condition)
        if !weekdays.isEmpty { try container.encode(weekdays, forKey: .weekdays) }
        if executesOnce { try container.encode(executesOnce, forKey: .executesOnce) }
    }
}
