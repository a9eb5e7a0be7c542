internal import HAP
internal import HAPCatalog

extension HostedDatabase {
    /// Answers `GET /characteristics`.
    ///
    /// - Parameters:
    ///   - isAdmin: Whether the controller that asks is an admin.
    ///   - subscriptions: What the connection that asks is subscribed to.
    func read(
        _ request: CharacteristicReadRequest,
        isAdmin: Bool,
        subscriptions: Set<CharacteristicID>
    ) -> CharacteristicReadResponse {
        CharacteristicReadResponse(
            entries: request.ids.map { id in
                guard let entry = entry(id) else {
                    return CharacteristicReadResponse.Entry(id: id, status: .noSuchResource)
                }
                let attributes = self[entry]
                let status = readStatus(of: entry, isAdmin: isAdmin)
                return CharacteristicReadResponse.Entry(
                    id: id,
                    status: status,
                    value: status.isSuccess ? attributes.value : nil,
                    metadata: request.metadata ? attributes.metadata : nil,
                    permissions: request.permissions ? attributes.permissions : nil,
                    type: request.type ? attributes.type : nil,
                    events: request.events ? subscriptions.contains(id) : nil
                )
            }
        )
    }

    /// Whether a controller may read a characteristic.
    func readStatus(of entry: Entry, isAdmin: Bool) -> HAPStatus {
        guard isAdmin || !entry.adminOnly.contains(.read) else { return .insufficientPrivileges }
        guard self[entry].permissions.contains(.read) else { return .writeOnly }
        return .success
    }

    /// Whether a controller may subscribe to a characteristic.
    func subscriptionStatus(of entry: Entry, isAdmin: Bool) -> HAPStatus {
        guard isAdmin || entry.adminOnly.isDisjoint(with: [.read, .notify]) else { return .insufficientPrivileges }
        guard self[entry].permissions.contains(.notify) else { return .notificationNotSupported }
        return .success
    }

    /// Whether users may be subscribed to a characteristic.
    func mayNotifyUsers(_ id: CharacteristicID) -> Bool {
        entry(id).map { subscriptionStatus(of: $0, isAdmin: false).isSuccess } ?? false
    }

    /// Whether a controller may be told the value after its write.
    func responseStatus(of entry: Entry, isAdmin: Bool) -> HAPStatus {
        guard isAdmin || !entry.adminOnly.contains(.read) else { return .insufficientPrivileges }
        guard self[entry].permissions.contains(.writeResponse) else { return .writeOnly }
        return .success
    }

    /// Checks a value that a controller wants to write.
    ///
    /// - Parameter isTimed: Whether the write was prepared.
    /// - Returns: The value in its format's form.
    /// - Throws: The status to answer.
    func check(
        _ value: CharacteristicValue,
        for entry: Entry,
        isAdmin: Bool,
        isTimed: Bool
    ) throws(HAPStatusError) -> CharacteristicValue {
        let attributes = self[entry]
        guard isAdmin || !entry.adminOnly.contains(.write) else { throw HAPStatusError(.insufficientPrivileges) }
        guard attributes.permissions.contains(.write) else { throw HAPStatusError(.readOnly) }
        guard isTimed || !attributes.permissions.contains(.timedWrite) else { throw HAPStatusError(.invalidValue) }
        do {
            return try attributes.metadata.validate(value)
        } catch {
            throw HAPStatusError(.invalidValue)
        }
    }
}

/// A refusal with its status.
struct HAPStatusError: Error {
    let status: HAPStatus

    init(_ status: HAPStatus) {
        self.status = status
    }
}
