internal import HAP
internal import NIOCore

extension AccessoryServer {
    /// Takes a new connection, and closes the one that was silent longest if there are too many.
    func accept(_ channel: any Channel) throws {
        lastConnection += 1
        let connection = Connection(
            id: ConnectionID(rawValue: lastConnection),
            channel: channel,
            identity: identity,
            at: .now
        )
        try channel.pipeline.syncOperations.addHandler(ConnectionHandler(id: connection.id, server: self))
        connections[connection.id] = connection
        record(.opened, on: connection)
        trim(configuration.limits.unverifiedConnections, sparing: connection) { $0.controller == nil }
    }

    /// Closes the connections of a kind that were silent longest, until no more than `limit` are left.
    ///
    /// - Parameter newest: The one that makes them too many. It stays, whatever the others do.
    func trim(_ limit: Int, sparing newest: Connection, _ isOfKind: (Connection) -> Bool) {
        let kind = connections.values.filter { isOfKind($0) && !$0.isClosing && !$0.isAwaitingAnswer }
        guard kind.count > limit else { return }
        // A controller in the middle of an exchange computes in silence: a flood of connections must not cut it off.
        let (now, time) = (configuration.now(), configuration.limits.pairingTime)
        let order = kind.filter { $0 !== newest }
            .map { (rank: ($0.isPairing(at: now, within: time) ? 1 : 0, $0.lastActivity), connection: $0) }
            .sorted { $0.rank < $1.rank }
        for (_, connection) in order.prefix(kind.count - limit) { connection.close() }
    }

    /// Takes bytes from a connection and serves the requests that they complete.
    func received(_ buffer: ByteBuffer, on id: ConnectionID) {
        guard let connection = connections[id], !connection.ignoresInput else { return }
        configuration.faultInjector?.recordWork(isStarting: true)
        defer { configuration.faultInjector?.recordWork(isStarting: false) }
        do {
            try connection.receive(buffer, at: .now)
        } catch {
            connection.close()
            return
        }
        // Bytes that came before reading was held back may be served later. At the end of a half-closed connection
        // everything is read, whatever is held back.
        guard connection.isReady || !connection.exceedsBufferLimit else {
            connection.close()
            return
        }
        serve(connection)
    }

    /// Serves the requests that were received, one after the other, then sends the events that waited.
    func serve(_ connection: Connection) {
        var hasServed = false
        do {
            while connection.isReady, let request = try connection.requests.next() {
                hasServed = true
                if let faultInjector = configuration.faultInjector {
                    handleWithFaults(request, from: faultInjector, on: connection)
                } else {
                    handle(request, on: connection)
                }
            }
        } catch {
            connection.send(HTTPResponse(status: error.status).encoded())
            connection.closeAfterSending()
            return
        }
        let id = connection.id
        connection.watchRequest(isAnother: hasServed, configuration.limits.requestTime) {
            self.assumeIsolated { $0.connections[id]?.close() }
        }
        sendEvents(to: connection)
    }

    /// Whether a connection may read on.
    func canRead(_ id: ConnectionID) -> Bool {
        guard let connection = connections[id] else { return true }
        return connection.isReady || connection.isClosing || connection.ignoresInput
    }

    /// Serves what waited on a connection that can send again.
    func resume(_ id: ConnectionID) {
        guard let connection = connections[id] else { return }
        serve(connection)
        if connection.isReady { connection.read() }
    }

    /// Forgets a connection that has ended.
    func closed(_ id: ConnectionID) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        connection.close()
        record(.closed, on: connection)
        guard connection.hasSetUp else { return }
        // On the actor, as in `setUp`, so that the registry hears of the end after it has heard of what came before.
        Task { await self.registry.connectionClosed(id) }
    }
}
