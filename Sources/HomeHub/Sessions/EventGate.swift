import HubAPI

/// Whether events go out to a client, and whether any did not.
///
/// None go out while the client is in the background or doesn't read. Events that are held back are dropped: one reset
/// replaces them all afterwards.
struct EventGate: Sendable {
    /// What happens to an event.
    enum Route: Hashable, Sendable {
        /// Send the event.
        case deliver
        /// A later reset replaces it.
        case drop
        /// No reset can replace it: the client must start over.
        case endSession
    }

    /// Whether the client is in the background.
    var isInBackground = false
    /// Whether events are paused because the client doesn't read them.
    var isPaused = false
    private(set) var hasMissed = false

    /// Whether events go out.
    var isOpen: Bool { !isInBackground && !isPaused }

    /// Decides what happens to an event.
    mutating func route(_ event: HubEvent) -> Route {
        switch event {
        case .reset, .resumed, .change, .homeGone, .values, .reachability:
            guard !isOpen else { return .deliver }
            hasMissed = true
            return .drop
        case .discovered, .discoveryLost, .asked, .questionClosed:
            // The client has asked for these; they are not part of the state of its homes.
            return isPaused ? .endSession : .deliver
        }
    }

    /// Returns whether a reset must be sent. It counts as sent then.
    mutating func consumeMissed() -> Bool {
        defer { hasMissed = false }
        return hasMissed
    }
}
