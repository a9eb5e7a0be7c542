internal import HAP
internal import NIOCore

extension AccessoryServer {
    /// Accepts a new connection, and closes the one that has been idle longest if there are too many.
    func accept(_ channel: any Channel) throws {
        lastConnection += 1
        let connection = Connection(
            id: ConnectionID(rawValue: lastConnection),
            channel: channel,
            identity: identity,
            at: .now
        )
        if let rewriter = configuration.rewriter {
            let id = connection.id
            connection.output.frameLength = rewriter.frameLength
            connection.rewrite = { rewriter.output($0, id) }
        }
        // The handler reads when the connection can handle what arrives.
        channel.setOption(.autoRead, value: false).whenFailure { _ in channel.close(promise: nil) }
        try channel.pipeline.syncOperations.addHandler(ConnectionHandler(connection, id: connection.id, server: self))
        connections[connection.id] = connection
        record(.opened, on: connection)
        trim(configuration.limits.unverifiedConnections, sparing: connection) { $0.controller == nil }
    }

    /// Closes the matching connections that have been idle longest, until at most `limit` are left.
    ///
    /// - Parameter newest: The newest connection, which is never closed.
    func trim(_ limit: Int, sparing newest: Connection, _ matches: (Connection) -> Bool) {
        let matching = connections.values.filter { matches($0) && !$0.isClosing && !$0.isAwaitingAnswer }
        guard matching.count > limit else { return }
        // A controller that is computing during a pairing exchange sends nothing. A flood of connections must not
        // disconnect it.
        let (now, time) = (configuration.now(), configuration.limits.pairingTime)
        let order = matching.filter { $0 !== newest }
            .map { (rank: ($0.isPairing(at: now, within: time) ? 1 : 0, $0.lastActivity), connection: $0) }
            .sorted { $0.rank < $1.rank }
        for (_, connection) in order.prefix(matching.count - limit) { connection.close() }
    }

    /// Handles bytes from a connection and the requests that they complete.
    func received(_ buffer: ByteBuffer, on connection: Connection) {
        guard !connection.ignoresInput else { return }
        configuration.faultInjector?.recordWork(isStarting: true)
        defer { configuration.faultInjector?.recordWork(isStarting: false) }
        do {
            guard try receive(buffer, on: connection) else { return }
        } catch {
            configuration.rewriter?.frameError(error, connection.id)
            if let answer = configuration.rewriter?.frameErrorAnswer {
                connection.send(answer)
            } else {
                connection.close()
            }
            return
        }
        // Bytes that arrived before reading was paused may be handled later. At the end of a half-closed connection,
        // all bytes are read even if reading is paused.
        guard connection.isReady || !connection.input.exceedsLimit else {
            connection.close()
            return
        }
        serve(connection)
    }

    /// Passes bytes to a connection. Returns `false` if a rewriter has handled them.
    private func receive(_ buffer: ByteBuffer, on connection: Connection) throws(FrameError) -> Bool {
        var buffer = buffer
        if hasRewriter {
            guard rewrite(&buffer, on: connection) else { return false }
        }
        try connection.receive(buffer, at: .now)
        return true
    }

    /// Replaces bytes by those that the rewriter wants handled. Returns `false` if it has handled them.
    private func rewrite(_ buffer: inout ByteBuffer, on connection: Connection) -> Bool {
        guard let rewriter = configuration.rewriter else { return true }
        switch rewriter.input(Array(buffer.readableBytesView), connection.id, connection.isSecured) {
        case .received:
            break
        case .replaced(let bytes):
            buffer = ByteBuffer(bytes: bytes)
        case .answered(let bytes):
            connection.send(bytes)
            return false
        case .closed:
            connection.close()
            return false
        }
        return true
    }

    /// Replaces a request by the one that the rewriter wants handled. Returns `false` if it has answered the request.
    private func rewrite(_ request: inout HTTPRequest, on connection: Connection) -> Bool {
        guard let rewriter = configuration.rewriter else { return true }
        switch rewriter.request(request, connection.id, connection.isSecured) {
        case .handled(let other):
            request = other
        case .answered(let bytes):
            connection.send(bytes)
            return false
        case .corrupted:
            connection.corruption = connection.isSecured ? .wrongTag : nil
        }
        connection.lastRequest = request
        return true
    }

    /// Handles the received requests one by one, then sends pending events.
    func serve(_ connection: Connection) {
        var hasServed = false
        do {
            while connection.isReady, var request = try connection.input.next() {
                hasServed = true
                if hasRewriter {
                    guard rewrite(&request, on: connection) else { continue }
                }
                if let faultInjector = configuration.faultInjector {
                    handleWithFaults(request, from: faultInjector, on: connection)
                } else {
                    handle(request, on: connection)
                }
            }
        } catch {
            connection.send(HTTPResponse(status: error.status))
            connection.closeAfterSending()
            return
        }
        if connection.needsRequestTimer(isAnother: hasServed) {
            let id = connection.id
            connection.watchRequest(configuration.limits.requestTime) {
                self.assumeIsolated { $0.connections[id]?.close() }
            }
        }
        sendEvents(to: connection)
    }

    /// Handles pending requests of a connection that can send again.
    func resume(_ id: ConnectionID) {
        guard let connection = connections[id] else { return }
        serve(connection)
        if connection.isReady { connection.read() }
    }

    /// Removes a closed connection.
    func closed(_ id: ConnectionID) {
        guard let connection = connections.removeValue(forKey: id) else { return }
        connection.close()
        record(.closed, on: connection)
        guard connection.hasSetUp else { return }
        // Run on the actor, as in `setUp`, so that the registry is notified after it has received the earlier messages.
        Task { await self.registry.connectionClosed(id) }
    }
}
