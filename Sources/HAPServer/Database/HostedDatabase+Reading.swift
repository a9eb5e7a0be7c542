internal import HAP
internal import HAPCatalog

extension HostedDatabase {
    /// Answers `GET /characteristics`, each ID once: to read one twice tells no more, but would multiply long values.
    ///
    /// - Parameters:
    ///   - isAdmin: Whether the controller that asks is an admin.
    ///   - subscriptions: What the connection that asks is subscribed to.
    ///   - limit: The most bytes of strings and of data in base64 to answer with.
    ///   - refusal: The status with which a characteristic is refused that could be read, if it is.
    func read(
        _ request: CharacteristicReadRequest,
        isAdmin: Bool,
        subscriptions: Set<CharacteristicID>,
        limit: Int,
        refusal: (CharacteristicAddress) -> HAPStatus? = { _ in nil }
    ) -> CharacteristicReadResponse {
        var seen: Set<CharacteristicID> = []
        var room = limit
        return CharacteristicReadResponse(
            entries: request.ids.filter { seen.insert($0).inserted }.map { id in
                guard let entry = entry(id) else {
                    return CharacteristicReadResponse.Entry(id: id, status: .noSuchResource)
                }
                let attributes = self[entry]
                var status = readStatus(of: entry, isAdmin: isAdmin)
                if status.isSuccess, let refused = refusal(entry.address) { status = refused }
                if status.isSuccess, let length = attributes.value?.textLength {
                    if length <= room { room -= length } else { status = .outOfResources }
                }
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
    func canNotifyUsers(_ id: CharacteristicID) -> Bool {
        canNotify(id, isAdmin: false)
    }

    /// Whether a controller may be subscribed to a characteristic.
    func canNotify(_ id: CharacteristicID, isAdmin: Bool) -> Bool {
        entry(id).map { subscriptionStatus(of: $0, isAdmin: isAdmin).isSuccess } ?? false
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

extension CharacteristicValue {
    /// The bytes of a string, or of data in base64; a number's are too few to count.
    fileprivate var textLength: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let bytes): (bytes.count + 2) / 3 * 4
        case .bool, .integer, .unsigned, .double: 0
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
