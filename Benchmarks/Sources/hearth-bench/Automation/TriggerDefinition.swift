import Foundation

/// Definitions of triggers in the hub's protocol.
enum TriggerDefinition {
    /// A timer.
    ///
    /// - Parameters:
    ///   - time: The first firing, a whole minute, in milliseconds since 1970.
    ///   - minutes: The recurrence.
    static func timer(at time: Int64, everyMinutes minutes: Int) -> String {
        #"{"timer":{"fireDate":\#(time),"recurrence":{"minutes":\#(minutes)}}}"#
    }

    /// A time of day in UTC.
    static func daily(hour: Int, minute: Int) -> String {
        event(#""calendar":{"hour":\#(hour),"minute":\#(minute),"timeZone":"UTC"}"#)
    }

    /// A number of minutes after sunset.
    static func sunset(offset: Int) -> String {
        event(#""sun":{"event":"sunset","offset":\#(offset)}"#)
    }

    /// A change to a value, or to any value if it is `nil`.
    static func change(
        of characteristic: BenchCharacteristic,
        to value: String? = nil,
        condition: String? = nil
    ) -> String {
        let value = value.map { #","value":\#($0)"# } ?? ""
        return event(#""characteristic":{"characteristic":\#(characteristic.json)\#(value)}"#, condition: condition)
    }

    /// A value that enters a range.
    static func entry(of characteristic: BenchCharacteristic, into range: ClosedRange<Int>) -> String {
        let range = #"{"minimum":\#(range.lowerBound),"maximum":\#(range.upperBound)}"#
        return event(#""threshold":{"characteristic":\#(characteristic.json),"range":\#(range)}"#)
    }

    /// The condition that a characteristic has a value.
    static func equals(_ characteristic: BenchCharacteristic, _ value: String) -> String {
        #"{"characteristic":{"characteristic":\#(characteristic.json),"is":"equal","value":\#(value)}}"#
    }

    private static func event(_ occurrence: String, condition: String? = nil) -> String {
        let condition = condition.map { #","condition":\#($0)"# } ?? ""
        return #"{"event":{"events":[{"id":"\#(UUID().uuidString)",\#(occurrence)}]\#(condition)}}"#
    }
}
