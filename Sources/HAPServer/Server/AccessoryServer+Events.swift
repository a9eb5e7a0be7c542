internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Tells every connection that is subscribed to a characteristic of its new value.
    ///
    /// - Parameters:
    ///   - isPress: Whether it is a press of a button instead of a state.
    ///   - writer: The connection that wrote it, which must not hear of it.
    func notify(_ id: CharacteristicID, _ value: CharacteristicValue, isPress: Bool, except writer: Connection?) {
        for connection in connections.values where connection !== writer && connection.subscriptions.contains(id) {
            if isPress {
                guard connection.events.add(press: CharacteristicEvent.Entry(id: id, value: value)) else {
                    connection.close()
                    continue
                }
            } else {
                connection.events.add(id)
            }
            sendEvents(to: connection)
        }
    }

    /// Sends what is due on a connection, unless a request of it is being served, and comes back for what is not.
    func sendEvents(to connection: Connection) {
        let now = ContinuousClock.now
        while connection.isBetweenRequests, let due = connection.events.next(at: now) {
            let entries =
                switch due {
                case .press(let press): [press]
                case .changes(let ids):
                    ids.map { CharacteristicEvent.Entry(id: $0, value: database.value($0)) }
                }
            connection.send(CharacteristicEvent(entries: entries).message().encoded())
        }
        let id = connection.id
        connection.watchEvents(at: now) { self.assumeIsolated { $0.eventsAreDue(on: id) } }
    }

    private func eventsAreDue(on id: ConnectionID) {
        guard let connection = connections[id] else { return }
        connection.eventTimerFired()
        sendEvents(to: connection)
    }
}
