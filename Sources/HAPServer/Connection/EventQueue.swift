internal import HAP

/// The pending events of one connection.
///
/// Changes of state are coalesced: the first is sent immediately. Those that follow within ``ServerLimits/eventWindow``
/// are sent together at its end, once per characteristic. Button presses are sent immediately and one by one.
///
/// It can't be copied, so that a connection that only asks whether events are pending doesn't copy them.
struct EventQueue: ~Copyable, Sendable {
    /// The changed characteristics, in the order of their first change. Their values are looked up when they are sent.
    private var changed: [CharacteristicID] = []
    /// The elements of ``changed``.
    private var waiting: Set<CharacteristicID> = []
    private var presses: [CharacteristicEvent.Entry] = []
    private var lastSent: ContinuousClock.Instant?

    /// An event to send.
    enum Due: Hashable, Sendable {
        /// The current values of these characteristics, in one message.
        case changes([CharacteristicID])
        /// One press, in its own message.
        case press(CharacteristicEvent.Entry)
    }

    /// Whether no event is pending.
    var isEmpty: Bool { changed.isEmpty && presses.isEmpty }

    /// Adds a change of a characteristic's value.
    mutating func add(_ id: CharacteristicID) {
        if waiting.insert(id).inserted { changed.append(id) }
    }

    /// Adds a button press.
    ///
    /// - Returns: `false` if the queue is full. The connection must then be closed, because no press may be lost.
    mutating func add(press: CharacteristicEvent.Entry) -> Bool {
        guard presses.count < ServerLimits.waitingPresses else { return false }
        presses.append(press)
        return true
    }

    /// Removes the pending events of a characteristic that the connection is no longer subscribed to.
    mutating func drop(_ id: CharacteristicID) {
        drop(changeOf: id)
        presses.removeAll { $0.id == id }
    }

    /// Removes the pending change of a characteristic, but not its presses.
    mutating func drop(changeOf id: CharacteristicID) {
        if !waiting.isEmpty, waiting.remove(id) != nil { changed.removeAll { $0 == id } }
    }

    /// Removes and returns the next event to send now. Call it until it returns `nil`.
    mutating func next(at now: ContinuousClock.Instant) -> Due? {
        if !presses.isEmpty { return .press(presses.removeFirst()) }
        guard !changed.isEmpty, wait(at: now) == nil else { return nil }
        lastSent = now
        defer {
            changed = []
            waiting = []
        }
        return .changes(changed)
    }

    /// Returns the time until the pending changes are due, or `nil` if there are none or they are due now.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard !changed.isEmpty, let lastSent else { return nil }
        let rest = lastSent + ServerLimits.eventWindow - now
        return rest > .zero ? rest : nil
    }
}
