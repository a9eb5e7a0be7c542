package import Foundation

/// The schedule of a timer trigger.
package struct TimerSchedule: Hashable, Sendable {
    /// The time of the first firing, to the millisecond; its seconds are 0.
    package var fireDate: Date {
        didSet { fireDate = Date(milliseconds: fireDate.milliseconds) }
    }
    /// The identifier of the time zone in which days are counted (`Europe/Berlin`); `nil` for the hub's time zone.
    package var timeZone: String?
    /// The name of the calendar in which the recurrence is counted, as ``Foundation/Calendar/Identifier/name`` returns
    /// it; `nil` for the Gregorian calendar.
    package var calendar: String?
    /// The time between two firings; `nil` for a timer that fires once.
    package var recurrence: RecurrenceInterval?

    /// Creates a schedule.
    package init(
        fireDate: Date,
        timeZone: String? = nil,
        calendar: String? = nil,
        recurrence: RecurrenceInterval? = nil
    ) {
        self.fireDate = Date(milliseconds: fireDate.milliseconds)
        self.timeZone = timeZone
        self.calendar = calendar
        self.recurrence = recurrence
    }
}

extension TimerSchedule: Codable {
    private enum Key: String, CodingKey {
        case fireDate, timeZone, calendar, recurrence
    }

    /// Decodes a schedule. The fire date is in milliseconds since 1970.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            fireDate: Date(milliseconds: try container.decode(Int64.self, forKey: .fireDate)),
            timeZone: try container.decodeIfPresent(String.self, forKey: .timeZone),
            calendar: try container.decodeIfPresent(String.self, forKey: .calendar),
            recurrence: try container.decodeIfPresent(RecurrenceInterval.self, forKey: .recurrence)
        )
    }

    /// Encodes the schedule.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(fireDate.milliseconds, forKey: .fireDate)
        try container.encodeIfPresent(timeZone, forKey: .timeZone)
        try container.encodeIfPresent(calendar, forKey: .calendar)
        try container.encodeIfPresent(recurrence, forKey: .recurrence)
    }
}
