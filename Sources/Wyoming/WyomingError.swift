/// A reason why a connection's bytes aren't events. What follows can't be understood either, so the connection ends.
package struct WyomingError: Error, Hashable, Sendable {
    /// The reason's name.
    package var code: String
    /// The reason, for people.
    package var reason: String

    /// The line isn't a JSON object with a type.
    static func malformed(_ reason: String) -> Self { Self(code: "malformedEvent", reason: reason) }
    /// A part of the event exceeds its limit.
    static func tooLong(_ part: String, _ limit: Int) -> Self {
        Self(code: "eventTooLong", reason: "An event's \(part) can have at most \(limit) bytes.")
    }
}
