package import Foundation

/// When a timer trigger fires.
package struct TimerSchedule: Hashable, Sendable {
    /// The first time, to the millisecond; its seconds are 0.
    package var fireDate: Date {
        didSet { fireDate = Date(milliseconds: fireDate.milliseconds) }
    }
    /// The identifier of the time zone in which days are counted (`Europe/Berlin`); the hub's own if nil.
    package var timeZone: String?
    /// How long after one firing the next one is; once only if nil.
    package var recurrence: RecurrenceInterval?

    /// Makes a schedule.
    package init(fireDate: Date, timeZone: String? = nil, recurrence: RecurrenceInterval? = nil) {
        self.fireDate = Date(milliseconds: fireDate.milliseconds)
        self.timeZone = timeZone
        self.recurrence = recurrence
    }
}

extension TimerSchedule: Codable {
    private enum Key: String, CodingKey {
        case fireDate, timeZone, recurrence
    }

    /// Reads a schedule; the fire date is in milliseconds since 1970.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            fireDate: Date(milliseconds: try container.decode(Int64.self, forKey: .fireDate)),
            timeZone: try container.decodeIfPresent(String.self, forKey: .timeZone),
            recurrence: try container.decodeIfPresent(RecurrenceInterval.self, forKey: .recurrence)
        )
    }

    /// Writes the schedule.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(fireDate.milliseconds, forKey: .fireDate)
        try container.encodeIfPresent(timeZone, forKey: .timeZone)
        try container.encodeIfPresent(recurrence, forKey: .recurrence)
    }
}
