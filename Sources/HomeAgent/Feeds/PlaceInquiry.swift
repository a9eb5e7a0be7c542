/// Whether the hub is to be asked where the feed is: while it is in reach and hasn't said, or while the relay contradicts it.
///
/// The agent looks at its hub at each heartbeat. As long as asking doesn't help, it asks at the first of them, the second, the
/// fourth and so on, so that a relay that goes on lying costs the hub little.
struct PlaceInquiry: Hashable, Sendable {
    /// Whether the hub's answer is still wanted.
    private(set) var isOpen = false
    /// The number of heartbeats from one question to the next one.
    private var pause = 1
    /// The number of heartbeats since the last question.
    private var waited = 0

    /// Handles that the hub has come into reach.
    mutating func hubIsNear() { self = PlaceInquiry(isOpen: true) }

    /// Handles that the relay, or the hub, contradicts what the device has.
    mutating func contradicted() { isOpen = true }

    /// Handles the hub's answer.
    ///
    /// - Parameter isSettled: Whether it says where the feed is, and agrees with what the device has.
    mutating func answered(isSettled: Bool) { isOpen = !isSettled }

    /// Handles that the relay agrees with the hub.
    mutating func agreed() {
        guard !isOpen else { return }
        self = PlaceInquiry()
    }

    /// Handles a heartbeat. Returns whether to ask now.
    mutating func heartbeat() -> Bool {
        guard isOpen else { return false }
        waited += 1
        guard waited >= pause else { return false }
        (waited, pause) = (0, min(pause * 2, AgentLimits.placeHeartbeats))
        return true
    }
}
