/// The rule of an event trigger: it fires when one of its events happens while its condition is true.
package struct EventRule: Hashable, Sendable {
    /// The events; any of them fires the trigger.
    package var events: [TriggerEvent]
    /// The events that undo the effect of the action sets; may be empty.
    package var endEvents: [TriggerEvent]
    /// The condition that must be true when an event happens; `nil` for none.
    package var condition: Condition?
    /// The days on which it fires, 1 (Sunday) to 7, ascending and without duplicates; every day if empty.
    package var weekdays: [Int]
    /// Whether the trigger is disabled after it has fired once.
    package var executesOnce: Bool

    /// Creates a rule.
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

    /// Decodes a rule. Members with a default value may be missing.
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

    /// Encodes the rule, leaving out members that have their default value.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(events, forKey: .events)
        if !endEvents.isEmpty { try container.encode(endEvents, forKey: .endEvents) }
        try container.encodeIfPresent(condition, forKey: .condition)
        if !weekdays.isEmpty { try container.encode(weekdays, forKey: .weekdays) }
        if executesOnce { try container.encode(executesOnce, forKey: .executesOnce) }
    }
}
