/// Sunrise or sunset where the home is, or so long before or after it.
package struct SunMoment: Hashable, Sendable, Codable {
    /// What the sun does. Kept open.
    package struct Event: Hashable, Sendable, Codable, RawRepresentable {
        /// The event's name in logs and messages.
        package var rawValue: String

        /// Wraps a name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The sun rises.
        package static let sunrise = Event(rawValue: "sunrise")
        /// The sun sets.
        package static let sunset = Event(rawValue: "sunset")
    }

    /// What the sun does.
    package var event: Event
    /// Minutes after it; negative ones are before it.
    package var offset: Int

    /// Makes a moment.
    package init(_ event: Event, offset: Int = 0) {
        self.event = event
        self.offset = offset
    }
}
