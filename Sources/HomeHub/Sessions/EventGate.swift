import HubAPI

/// Whether events flow to a client, and whether any did not.
///
/// None flow while the client is in the background or behind. What is held back is not kept: when both are over, one
/// reset stands for all of it.
struct EventGate: Sendable {
    /// What becomes of an event.
    enum Passage: Hashable, Sendable {
        /// It goes out.
        case passes
        /// A later reset takes its place.
        case isMissed
        /// No reset can take its place: the client has to start over.
        case endsSession
    }

    /// Whether the client is in front of nobody.
    var isInBackground = false
    /// Whether the client does not read what it is sent.
    var isBehind = false
    private(set) var hasMissed = false

    /// Whether events flow.
    var isOpen: Bool { !isInBackground && !isBehind }

    /// Notes that an event is due.
    mutating func pass(_ event: HubEvent) -> Passage {
        switch event {
        case .reset, .resumed, .change, .homeGone, .values, .reachability:
            guard !isOpen else { return .passes }
            hasMissed = true
            return .isMissed
        case .discovered, .discoveryLost, .asked, .questionClosed:
            // What a client looks for or has asked to be asked; it is no news of its homes.
            return isBehind ? .endsSession : .passes
        }
    }

    /// Whether a reset is due; it is taken to be sent.
    mutating func takeMissed() -> Bool {
        defer { hasMissed = false }
        return hasMissed
    }
}
