package import Foundation
package import HubAPI

/// A program whose methods and events a ``ControlListener`` serves.
package protocol ControlBackend: Sendable {
    /// Calls a method.
    ///
    /// - Parameters:
    ///   - method: The name.
    ///   - parameters: The parameters, as JSON.
    /// - Returns: The result, as JSON.
    func call(_ method: String, _ parameters: Data) async throws(HubError) -> Data

    /// Returns the events after a position, as soon as there are some.
    ///
    /// - Parameter position: A position from an earlier call; `nil` to return the current one immediately, without events.
    func events(after position: UInt64?) async throws(HubError) -> ControlEventBatch
}

/// Events of a ``ControlBackend``.
package struct ControlEventBatch: Sendable {
    /// An event.
    package struct Event: Sendable {
        /// The name.
        package var name: String
        /// The contents, as JSON.
        package var json: Data

        /// Creates an event.
        package init(name: String, json: Data) {
            self.name = name
            self.json = json
        }
    }

    /// The position after the last event.
    package var next: UInt64
    /// The number of events that the program no longer has.
    package var missed: UInt64
    /// The events, the oldest first.
    package var events: [Event]

    /// Creates a batch.
    package init(next: UInt64, missed: UInt64, events: [Event]) {
        self.next = next
        self.missed = missed
        self.events = events
    }
}
