internal import HAP

/// The events that wait to be sent on one connection.
///
/// Changes of state are merged: the first goes out at once, those that follow within ``ServerLimits/eventWindow`` wait
/// for its end and go out together, each characteristic once. Presses of buttons go out at once and one by one.
struct EventQueue: Sendable {
    /// Changed characteristics, the one that changed first first. Their values are looked up when they are sent.
    private var changed: [CharacteristicID] = []
    /// What stands in ``changed``.
    private var waiting: Set<CharacteristicID> = []
    private var presses: [CharacteristicEvent.Entry] = []
    private var lastSent: ContinuousClock.Instant?

    /// What is due.
    enum Due: Hashable, Sendable {
        /// The present values of these characteristics, in one message.
        case changes([CharacteristicID])
        /// One press, in a message of its own.
        case press(CharacteristicEvent.Entry)
    }

    /// Notes that a characteristic has another value.
    mutating func add(_ id: CharacteristicID) {
        if waiting.insert(id).inserted { changed.append(id) }
    }

    /// Notes that a button was pressed.
    ///
    /// - Returns: Whether there was room: a connection that takes no more has to be closed, as no press may be lost.
    mutating func add(press: CharacteristicEvent.Entry) -> Bool {
        guard presses.count < ServerLimits.waitingPresses else { return false }
        presses.append(press)
        return true
    }

    /// Forgets what was not sent yet of a characteristic that the connection is no longer subscribed to.
    mutating func drop(_ id: CharacteristicID) {
        drop(changeOf: id)
        presses.removeAll { $0.id == id }
    }

    /// Forgets that a characteristic has another value, but no presses.
    mutating func drop(changeOf id: CharacteristicID) {
        if waiting.remove(id) != nil { changed.removeAll { $0 == id } }
    }

    /// Takes what is to be sent now; call it again until there is nothing.
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

    /// How long the changes that wait have to wait on; `nil` if none wait, or if they are due.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard !changed.isEmpty, let lastSent else { return nil }
        let rest = lastSent + ServerLimits.eventWindow - now
        return rest > .zero ? rest : nil
    }
}
