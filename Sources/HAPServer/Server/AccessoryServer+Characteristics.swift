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
        guard let index = database.index(of: entry.id) else { throw HAPStatusError(.noSuchResource) }
        guard entry.decodingStatus.isSuccess else { throw HAPStatusError(entry.decodingStatus) }
        if let faultInjector = configuration.faultInjector, faultInjector.hasFaults,
            let status = faultInjector.refusal(of: database.entries[index].address, isWrite: true)
        {
            throw HAPStatusError(status)
        }
        if entry.events != nil {
            let status = database.subscriptionStatus(at: index, isAdmin: access.isAdmin)
            guard status.isSuccess else { throw HAPStatusError(status) }
        }
        let checked: CharacteristicValue? =
            if let value = entry.value {
                try database.check(value, at: index, isAdmin: access.isAdmin, isTimed: access.isTimed)
            } else {
                nil
            }
        if entry.wantsResponse {
            // Don't start a write whose result can't be returned.
            let status = database.responseStatus(at: index, isAdmin: access.isAdmin)
            guard status.isSuccess else { throw HAPStatusError(status) }
        }
        var result = checked
        if let checked, let decide = handlers.write {
            let write = CharacteristicWrite(
                address: database.entries[index].address,
                value: checked,
                controller: access.controller,
                authorizationData: entry.authorizationData,
                isRemote: entry.isRemote
            )
            result = try self.value(of: write, after: decide(write), at: index)
        }
        switch entry.events {
        case true?:
            connection.subscriptions.insert(entry.id)
        case false?:
            connection.unsubscribe(entry.id)
        case nil:
            break
        }
        if let result { set(result, at: index, by: access.controller, on: connection) }
        return result ?? database[index].value
    }

    /// Returns the value to store after the owner's decision about a write.
    private func value(
        of write: CharacteristicWrite,
        after decision: WriteDecision,
        at index: Int
    ) throws(HAPStatusError) -> CharacteristicValue {
        switch decision {
        case .accept:
            return write.value
        case .respond(let value):
            guard let valid = try? database[index].metadata.validate(value, checkingStep: false) else {
                throw HAPStatusError(.unableToPerform)
            }
            return valid
        case .refuse(let status):
            throw HAPStatusError(status)
        }
    }

    /// Stores a value and notifies subscribers and the server's owner.
    ///
    /// - Parameters:
    ///   - index: The characteristic's place in the database's entries.
    ///   - connection: The connection that wrote the value. It receives only its response, not an event.
    func set(
        _ value: CharacteristicValue,
        at index: Int,
        by controller: PairingID?,
        on connection: Connection?
    ) {
        let address = database.entries[index].address
        if address.type == HAPType.Characteristic.identify { handlers.event(.identify(accessory: address.accessory)) }
        // Otherwise the writer would receive its own value in the pending event.
        connection?.events.drop(changeOf: database.entries[index].id)
        guard database.set(value, at: index) else { return }
        notify(index, value, except: connection)
        let change = ValueChange(address: address, value: value, controller: controller)
        handlers.event(.valueChanged(change))
    }
}
