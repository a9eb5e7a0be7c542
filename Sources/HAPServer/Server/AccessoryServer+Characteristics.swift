internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Handles `GET /characteristics`.
    func read(_ request: HTTPRequest, isAdmin: Bool, on connection: Connection) -> HTTPResponse {
        let parsed: CharacteristicReadRequest
        do {
            parsed = try CharacteristicReadRequest(query: request.queryBytes)
        } catch {
            return HTTPResponse(status: .badRequest)
        }
        guard !parsed.ids.isEmpty else { return HTTPResponse(status: .noContent) }
        return database.read(
            parsed,
            isAdmin: isAdmin,
            subscriptions: connection.subscriptions,
            limit: configuration.limits.readLength,
            faultInjector: configuration.faultInjector
        )
    }

    /// Handles `PUT /prepare`.
    func prepare(_ request: HTTPRequest, on connection: Connection) -> HTTPResponse {
        do {
            connection.timedWrite.prepare(try PrepareRequest(decoding: request.body), at: .now)
        } catch {
            return StatusBody(.invalidValue).response(.badRequest)
        }
        return StatusBody(.success).response()
    }

    /// Handles `PUT /characteristics`. Entries are applied in their order: of several values for one characteristic, the
    /// last one remains.
    func write(
        _ request: HTTPRequest,
        isAdmin: Bool,
        _ controller: PairingID,
        on connection: Connection
    ) -> HTTPResponse {
        let parsed: CharacteristicWriteRequest
        do {
            parsed = try CharacteristicWriteRequest(decoding: request.bodyBytes)
        } catch {
            return HTTPResponse(status: .badRequest)
        }
        if let pid = parsed.pid, !connection.timedWrite.execute(pid: pid, at: .now) {
            let entries = parsed.entries.map { entry in
                CharacteristicWriteResponse.Entry(id: entry.id, status: .invalidValue)
            }
            return CharacteristicWriteResponse(entries: entries).response()
        }
        let access = Access(controller: controller, isAdmin: isAdmin, isTimed: parsed.pid != nil)
        // If every write succeeds and nobody asks for values, the response has no entries.
        var results: [CharacteristicWriteResponse.Entry] = []
        for (index, entry) in parsed.entries.enumerated() {
            let result: CharacteristicWriteResponse.Entry
            do throws(HAPStatusError) {
                let value = try write(entry, by: access, on: connection)
                if results.isEmpty && !entry.wantsResponse { continue }
                result = .init(id: entry.id, wantsResponse: entry.wantsResponse, value: value)
            } catch {
                result = .init(id: entry.id, status: error.status)
            }
            if results.isEmpty { results = parsed.entries[..<index].map { .init(id: $0.id) } }
            results.append(result)
        }
        return CharacteristicWriteResponse(entries: results).response()
    }

    /// The controller's rights for a write.
    private struct Access {
        let controller: PairingID
        let isAdmin: Bool
        let isTimed: Bool
    }

    /// Applies one entry of a write request, completely or not at all.
    ///
    /// - Returns: The value after the write.
    private func write(
        _ entry: CharacteristicWriteRequest.Entry,
        by access: Access,
        on connection: Connection
    ) throws(HAPStatusError) -> CharacteristicValue? {
        guard let hosted = database.entry(entry.id) else { throw HAPStatusError(.noSuchResource) }
        guard entry.decodingStatus.isSuccess else { throw HAPStatusError(entry.decodingStatus) }
        if let status = configuration.faultInjector?.refusal(of: hosted.address, isWrite: true) {
            throw HAPStatusError(status)
        }
        if entry.events != nil {
            let status = database.subscriptionStatus(of: hosted, isAdmin: access.isAdmin)
            guard status.isSuccess else { throw HAPStatusError(status) }
        }
        let checked: CharacteristicValue? =
            if let value = entry.value {
                try database.check(value, for: hosted, isAdmin: access.isAdmin, isTimed: access.isTimed)
            } else {
                nil
            }
        if entry.wantsResponse {
            // Don't start a write whose result can't be returned.
            let status = database.responseStatus(of: hosted, isAdmin: access.isAdmin)
            guard status.isSuccess else { throw HAPStatusError(status) }
        }
        var result: CharacteristicValue?
        if let checked {
            result = try decide(
                CharacteristicWrite(
                    address: hosted.address,
                    value: checked,
                    controller: access.controller,
                    authorizationData: entry.authorizationData,
                    isRemote: entry.isRemote
                ),
                hosted
            )
        }
        switch entry.events {
        case true?:
            connection.subscriptions.insert(entry.id)
        case false?:
            connection.unsubscribe(entry.id)
        case nil:
            break
        }
        if let result { set(result, of: hosted, id: entry.id, by: access.controller, on: connection) }
        return result ?? database.value(entry.id)
    }

    /// Asks the server's owner whether to accept a write.
    ///
    /// - Returns: The value to store.
    private func decide(
        _ write: CharacteristicWrite,
        _ entry: HostedDatabase.Entry
    ) throws(HAPStatusError) -> CharacteristicValue {
        switch handlers.write(write) {
        case .accept:
            return write.value
        case .respond(let value):
            guard let valid = try? database[entry].metadata.validate(value, checkingStep: false) else {
                throw HAPStatusError(.unableToPerform)
            }
            return valid
        case .refuse(let status):
            throw HAPStatusError(status)
        }
    }

    /// Stores a value and notifies subscribers and the server's owner.
    ///
    /// - Parameter connection: The connection that wrote the value. It receives only its response, not an event.
    func set(
        _ value: CharacteristicValue,
        of entry: HostedDatabase.Entry,
        id: CharacteristicID,
        by controller: PairingID?,
        on connection: Connection?
    ) {
        if entry.address.type == HAPType.Characteristic.identify {
            handlers.event(.identify(accessory: entry.address.accessory))
        }
        // Otherwise the writer would receive its own value in the pending event.
        connection?.events.drop(changeOf: id)
        guard database.set(value, of: entry) else { return }
        notify(id, at: entry.address, value, isPress: entry.isStateless, except: connection)
        let change = ValueChange(address: entry.address, value: value, controller: controller)
        handlers.event(.valueChanged(change))
    }
}
