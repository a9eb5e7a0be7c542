internal import HAP
internal import HAPCatalog

extension HostedDatabase {
    /// Returns the response to `GET /characteristics`. Each ID is answered once, because duplicates would multiply long
    /// values.
    ///
    /// - Parameters:
    ///   - isAdmin: Whether the requesting controller is an admin.
    ///   - subscriptions: The subscriptions of the requesting connection.
    ///   - limit: The maximum number of bytes of strings, and of data in base64, in the response.
    ///   - faultInjector: What may refuse to read a readable characteristic.
    func read(
        _ request: CharacteristicReadRequest,
        isAdmin: Bool,
        subscriptions: Set<CharacteristicID>,
        limit: Int,
        faultInjector: (any ServerFaultInjector)? = nil
    ) -> HTTPResponse {
        var room = limit
        let ids = Self.unique(request.ids)
        // Entries have a status only if one of them failed, which is rarely so: they are written without a status until
        // one fails.
        var count = 0
        var failure: HAPStatus?
        let body = CharacteristicReadResponse.encoded(ids.count) { writer in
            for id in ids {
                let index = index(of: id)
                let status = readStatus(at: index, isAdmin: isAdmin, room: &room, faultInjector)
                guard status.isSuccess else {
                    failure = status
                    return
                }
                encode(id, at: index, status, for: request, subscriptions, to: &writer, includesStatus: false)
                count += 1
            }
        }
        guard let failure else { return HTTPResponse(status: .ok, json: body) }
        let bodyWithStatus = CharacteristicReadResponse.encoded(ids.count) { writer in
            for (place, id) in ids.enumerated() {
                let index = index(of: id)
                var status = place < count ? HAPStatus.success : failure
                if place > count { status = readStatus(at: index, isAdmin: isAdmin, room: &room, faultInjector) }
                encode(id, at: index, status, for: request, subscriptions, to: &writer, includesStatus: true)
            }
        }
        return HTTPResponse(status: .multiStatus, json: bodyWithStatus)
    }

    /// Writes the entry of a response.
    private func encode(
        _ id: CharacteristicID,
        at index: Int?,
        _ status: HAPStatus,
        for request: CharacteristicReadRequest,
        _ subscriptions: Set<CharacteristicID>,
        to writer: inout JSONWriter,
        includesStatus: Bool
    ) {
        let value = status.isSuccess ? index.flatMap { self[$0].value } : nil
        let isPlain = !(request.metadata || request.permissions || request.type || request.events)
        guard !isPlain, let index else {
            CharacteristicReadResponse.Entry.encode(id, status, value, to: &writer, includesStatus: includesStatus)
            return
        }
        let attributes = self[index]
        CharacteristicReadResponse.Entry(
            id: id,
            status: status,
            value: value,
            metadata: request.metadata ? attributes.metadata : nil,
            permissions: request.permissions ? attributes.permissions : nil,
            type: request.type ? attributes.type : nil,
            events: request.events ? subscriptions.contains(id) : nil
        )
        .encode(to: &writer, includesStatus: includesStatus)
    }

    /// Returns the IDs without those that occurred before.
    private static func unique(_ ids: [CharacteristicID]) -> [CharacteristicID] {
        // Most controllers ask in ascending order.
        if zip(ids, ids.dropFirst()).allSatisfy(<) { return ids }
        var seen: Set<CharacteristicID> = []
        return ids.filter { seen.insert($0).inserted }
    }

    /// Returns whether the characteristic at a place in ``entries`` is read, and takes the length of its value from the
    /// room that is left in the response.
    private func readStatus(
        at index: Int?,
        isAdmin: Bool,
        room: inout Int,
        _ faultInjector: (any ServerFaultInjector)?
    ) -> HAPStatus {
        guard let index else { return .noSuchResource }
        guard isAdmin || !entries[index].adminOnly.contains(.read) else { return .insufficientPrivileges }
        guard self[index].permissions.contains(.read) else { return .writeOnly }
        if let faultInjector, faultInjector.hasFaults,
            let refusal = faultInjector.refusal(of: entries[index].address, isWrite: false)
        {
            return refusal
        }
        let length = self[index].value?.textLength ?? 0
        guard length <= room else { return .outOfResources }
        room -= length
        return .success
    }

    /// Returns whether a controller may subscribe to the characteristic at a place in ``entries``.
    func subscriptionStatus(at index: Int, isAdmin: Bool) -> HAPStatus {
        guard isAdmin || entries[index].adminOnly.isDisjoint(with: [.read, .notify]) else {
            return .insufficientPrivileges
        }
        guard self[index].permissions.contains(.notify) else { return .notificationNotSupported }
        return .success
    }

    /// Returns whether controllers without admin permissions may be subscribed to a characteristic.
    func canNotifyUsers(_ id: CharacteristicID) -> Bool {
        canNotify(id, isAdmin: false)
    }

    /// Returns whether a controller may be subscribed to a characteristic.
    func canNotify(_ id: CharacteristicID, isAdmin: Bool) -> Bool {
        index(of: id).map { subscriptionStatus(at: $0, isAdmin: isAdmin).isSuccess } ?? false
    }

    /// Returns whether a controller may receive the value after a write to the characteristic at a place in ``entries``.
    func responseStatus(at index: Int, isAdmin: Bool) -> HAPStatus {
        guard isAdmin || !entries[index].adminOnly.contains(.read) else { return .insufficientPrivileges }
        guard self[index].permissions.contains(.writeResponse) else { return .writeOnly }
        return .success
    }

    /// Validates a value that a controller writes to the characteristic at a place in ``entries``.
    ///
    /// - Parameter isTimed: Whether the write was prepared.
    /// - Returns: The value, converted to its format.
    /// - Throws: An error with the status to answer with.
    func check(
        _ value: CharacteristicValue,
        at index: Int,
        isAdmin: Bool,
        isTimed: Bool
    ) throws(HAPStatusError) -> CharacteristicValue {
        let (permissions, adminOnly) = (self[index].permissions, entries[index].adminOnly)
        guard isAdmin || !adminOnly.contains(.write) else { throw HAPStatusError(.insufficientPrivileges) }
        guard permissions.contains(.write) else { throw HAPStatusError(.readOnly) }
        guard isTimed || !permissions.contains(.timedWrite) else { throw HAPStatusError(.invalidValue) }
        // A switch has no bounds, which to copy takes longer than to check.
        if case .bool = self[index].metadata.format {
            if case .bool = value { return value }
            guard let value = value.converted(to: .bool) else { throw HAPStatusError(.invalidValue) }
            return value
        }
        do {
            return try self[index].metadata.validate(value)
        } catch {
            throw HAPStatusError(.invalidValue)
        }
    }
}

extension CharacteristicValue {
    /// The length of a string, or of data in base64. Numbers are too short to count.
    fileprivate var textLength: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): (bytes.count + 2) / 3 * 4
        case .bool, .integer, .unsigned, .double: 0
        }
    }
}

/// An error with a HAP status.
struct HAPStatusError: Error {
    let status: HAPStatus

    init(_ status: HAPStatus) {
        self.status = status
    }
}
