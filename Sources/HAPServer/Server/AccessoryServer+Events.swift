internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Notifies all connections that are subscribed to a characteristic of its new value.
    ///
    /// - Parameters:
    ///   - index: The characteristic's place in the database's entries.
    ///   - writer: The connection that wrote the value, which must not be notified.
    func notify(_ index: Int, _ value: CharacteristicValue, except writer: Connection?) {
        let (id, isPress) = (database.entries[index].id, database.entries[index].isStateless)
        var delivery = EventDelivery.once
        if let faultInjector = configuration.faultInjector, faultInjector.hasFaults {
            delivery = faultInjector.delivery(of: database.entries[index].address)
        }
        guard delivery != .never else { return }
        var subscribers: [Connection] = []
        for connection in connections.values where connection !== writer && connection.subscriptions.contains(id) {
            subscribers.append(connection)
        }
        // Use the order in which they connected, so that the output is deterministic.
        if subscribers.count > 1 { subscribers.sort { $0.id.rawValue < $1.id.rawValue } }
        for connection in subscribers {
            if delivery != .once {
                deliverFaulty(
                    CharacteristicEvent.Entry(id: id, value: value),
                    delivery,
                    isPress: isPress,
                    to: connection
                )
            } else if isPress {
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

    /// Sends the due events of a connection, unless it is handling a request, and schedules the rest.
    func sendEvents(to connection: Connection) {
        guard !connection.events.isEmpty else { return }
        let now = now
        while connection.isBetweenRequests, let due = connection.events.next(at: now) {
            let entries =
                switch due {
                case .press(let press): [press]
                case .changes(let ids):
                    ids.map { CharacteristicEvent.Entry(id: $0, value: database.value($0)) }
                }
            let event = encoded(CharacteristicEvent(entries: entries))
            record(.event(event.message), on: connection)
            let rewritten = hasRewriter ? configuration.rewriter?.event(event.bytes) : nil
            connection.send(rewritten ?? event.bytes)
        }
        let id = connection.id
        connection.watchEvents(at: now, by: configuration.timer) {
            await self.eventsAreDue(on: id)
        } orOnLoop: {
            self.assumeIsolated { $0.eventsAreDue(on: id) }
        }
    }

    /// Returns the message with an event. Several connections usually receive the same event in succession, which is
    /// encoded once for all of them.
    private func encoded(_ event: CharacteristicEvent) -> EncodedEvent {
        if let lastEvent, lastEvent.event == event { return lastEvent }
        let encoded = EncodedEvent(event)
        lastEvent = encoded
        return encoded
    }

    /// Delivers an event twice or later.
    private func deliverFaulty(
        _ entry: CharacteristicEvent.Entry,
        _ delivery: EventDelivery,
        isPress: Bool,
        to connection: Connection
    ) {
        if case .after(let time) = delivery {
            let id = connection.id
            after(time, on: connection) { server in
                guard let connection = server.connections[id], connection.subscriptions.contains(entry.id) else {
                    return
                }
                // A press is sent as is; a state is sent with its value at that time.
                if !isPress {
                    connection.events.add(entry.id)
                } else if !connection.events.add(press: entry) {
                    connection.close()
                }
                server.sendEvents(to: connection)
            }
            return
        }
        // Events in the queue of presses are not coalesced.
        guard connection.events.add(press: entry), connection.events.add(press: entry) else {
            connection.close()
            return
        }
    }

    private func eventsAreDue(on id: ConnectionID) {
        guard let connection = connections[id] else { return }
        connection.eventTimerFired()
        sendEvents(to: connection)
    }
}
