/// A time relative to sunrise or sunset at the home.
package struct SunMoment: Hashable, Sendable, Codable {
    /// Sunrise or sunset. Unknown values are preserved.
    package struct Event: Hashable, Sendable, Codable, RawRepresentable {
        /// The event's name in logs and messages.
        package var rawValue: String

        /// Creates a value from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The sun rises.
        package static let sunrise = Event(rawValue: "sunrise")
        /// The sun sets.
        package static let sunset = Event(rawValue: "sunset")
    }

    /// Sunrise or sunset.
    package var event: Event
    /// The offset in minutes; negative values are before the event.
    package var offset: Int

    /// Creates a moment.
    package init(_ event: Event, offset: Int = 0) {
        self.event = event
        self.offset = offset
    }
}
