/// Sunrise or sunset where the home is, or so long before or after it.
public struct SunMoment: Hashable, Sendable, Codable {
    /// What the sun does. Kept open.
    public struct Event: Hashable, Sendable, Codable, RawRepresentable {
        /// The event's name in logs and messages.
        public var rawValue: String

        /// Wraps a name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The sun rises.
        public static let sunrise = Event(rawValue: "sunrise")
        /// The sun sets.
        public static let sunset = Event(rawValue: "sunset")
    }

    /// What the sun does.
    public var event: Event
    /// Minutes after it; negative ones are before it.
    public var offset: Int

    /// Makes a moment.
    public init(_ event: Event, offset: Int = 0) {
        self.event = event
        self.offset = offset
    }
}
