internal import HAP
internal import HAPCatalog

extension AccessoryServer {
    /// Serves `GET /characteristics`.
    func read(_ request: HTTPRequest, isAdmin: Bool, on connection: Connection) -> HTTPResponse {
        let wanted: CharacteristicReadRequest
        do {
            wanted = try CharacteristicReadRequest(query: request.query ?? "")
        } catch {
            return HTTPResponse(status: .badRequest)
        }
        guard !wanted.ids.isEmpty else { return HTTPResponse(status: .noContent) }
        return database.read(
            wanted,
            isAdmin: isAdmin,
            subscriptions: connection.subscriptions,
            limit: configuration.limits.readLength
        ) { [faultInjector = configuration.faultInjector] in
            faultInjector?.refusal(of: $0, isWrite: false)
        }
        .response()
    }

    /// Serves `PUT /prepare`.
    func prepare(_ request: HTTPRequest, on connection: Connection) -> HTTPResponse {
        do {
            connection.timedWrite.prepare(try PrepareRequest(decoding: request.body), at: .now)
        } catch {
            return StatusBody(.invalidValue).response(.badRequest)
        }
        return StatusBody(.success).response()
    }

    /// Serves `PUT /characteristics`.
    func write(
        _ request: HTTPRequest,
        isAdmin: Bool,
        _ controller: PairingID,
        on connection: Connection
    ) -> HTTPResponse {
        let wanted: CharacteristicWriteRequest
        do {
            wanted = try CharacteristicWriteRequest(decoding: request.body)
        } catch {
            return HTTPResponse(status: .badRequest)
        }
        guard wanted.repeatedID == nil else { return HTTPResponse(status: .unprocessableContent) }
        if let pid = wanted.pid, !connection.timedWrite.execute(pid: pid, at: .now) {
            let entries = wanted.entries.map { entry in
                CharacteristicWriteResponse.Entry(id: entry.id, status: .invalidValue)
            }
            return CharacteristicWriteResponse(entries: entries).response()
        }
        let access = Access(controller: controller, isAdmin: isAdmin, isTimed: wanted.pid != nil)
        let entries = wanted.entries.map { entry in
            do throws(HAPStatusError) {
                let value = try write(entry, by: access, on: connection)
                return CharacteristicWriteResponse.Entry(
                    id: entry.id,
                    wantsResponse: entry.wantsResponse,
                    value: value
                )
            } catch {
                return CharacteristicWriteResponse.Entry(id: entry.id, status: error.status)
            }
        }
        return CharacteristicWriteResponse(entries: entries).response()
    }

    /// In whose name a write is done.
    private struct Access {
        let controller: PairingID
        let isAdmin: Bool
        let isTimed: Bool
    }

    /// Does what one entry asks for, or nothing of it.
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
            // A write whose outcome could not be told is not begun.
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

    /// Lets the owner decide about a write.
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

    /// Stores a value and tells everyone who has to know.
    ///
    /// - Parameter connection: The one whose controller wrote it, which is told by its response alone.
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
        // The writer would get its own value in place of the one that waits.
        connection?.events.drop(changeOf: id)
        guard database.set(value, of: entry) else { return }
        notify(id, value, isPress: entry.isStateless, except: connection)
        let change = ValueChange(address: entry.address, value: value, controller: controller)
        handlers.event(.valueChanged(change))
    }
}
