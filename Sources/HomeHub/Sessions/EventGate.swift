import HubAPI

/// A gate for the events to a client, which also records whether the client missed any.
///
/// It is closed while the client is in the background or doesn't read its messages. Events are then dropped, and a single
/// reset replaces them all afterwards.
struct EventGate: Sendable {
    /// The decision about an event.
    enum Route: Hashable, Sendable {
        /// Send the event.
        case deliver
        /// Drop the event: a later reset replaces it.
        case drop
        /// End the session, because no reset can replace the event: the client must start over.
        case endSession
    }

    /// Whether the client is in the background.
    var isInBackground = false
    /// Whether events are paused because the client doesn't read them.
    var isPaused = false
    private(set) var hasMissed = false

    /// Whether events are sent.
    var isOpen: Bool { !isInBackground && !isPaused }

    /// Decides what happens to an event.
    mutating func route(_ event: HubEvent) -> Route {
        switch event {
        case .reset, .resumed, .change, .homeGone, .values, .reachability, .runs:
            guard !isOpen else { return .deliver }
            hasMissed = true
            return .drop
        case .setupProgress, .deviceMessage:
            // A later step says as much, and a device that got no answer sends its message again.
            return isPaused ? .drop : .deliver
        case .discovered, .discoveryLost, .unconfigured, .unconfiguredLost, .asked, .questionClosed, .journal,
            .media, .standing, .feed:
            // The client requested these events. They aren't part of the homes' state.
            return isPaused ? .endSession : .deliver
        }
    }

    /// Records that the client lost events that had passed the gate.
    mutating func recordMiss() {
        hasMissed = true
    }

    /// Returns whether a reset must be sent, and resets the flag, because the caller sends it.
    mutating func consumeMissed() -> Bool {
        defer { hasMissed = false }
        return hasMissed
    }
}
