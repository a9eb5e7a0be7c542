public import Foundation

/// When a timer trigger fires.
public struct TimerSchedule: Hashable, Sendable {
    /// The first time, to the millisecond; its seconds are 0.
    public var fireDate: Date {
        didSet { fireDate = Date(milliseconds: fireDate.milliseconds) }
    }
    /// The identifier of the time zone in which days are counted (`Europe/Berlin`); the hub's own if nil.
    public var timeZone: String?
    /// How long after one firing the next one is; once only if nil.
    public var recurrence: RecurrenceInterval?

    /// Makes a schedule.
    public init(fireDate: Date, timeZone: String? = nil, recurrence: RecurrenceInterval? = nil) {
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
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            fireDate: Date(milliseconds: try container.decode(Int64.self, forKey: .fireDate)),
            timeZone: try container.decodeIfPresent(String.self, forKey: .timeZone),
            recurrence: try container.decodeIfPresent(RecurrenceInterval.self, forKey: .recurrence)
        )
    }

    /// Writes the schedule.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(fireDate.milliseconds, forKey: .fireDate)
        try container.encodeIfPresent(timeZone, forKey: .timeZone)
        try container.encodeIfPresent(recurrence, forKey: .recurrence)
    }
}
