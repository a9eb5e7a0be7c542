internal import HAP
internal import HAPCatalog

/// The table of the aids and iids of accessories, services and characteristics.
///
/// IDs are allocated from counters and never reused, so that an object that is removed and added again has the IDs that
/// controllers know. Source: HAP specification 2.6.1.
struct IdentifierTable: Hashable, Codable, Sendable {
    /// The IDs of one accessory.
    fileprivate struct Accessory: Hashable, Codable {
        let aid: UInt64
        var nextIID: UInt64
        /// The iids of services, by key, and of characteristics, by service key and type.
        var iids: [String: UInt64]

        init?(usual value: JSONValue) {
            guard let object = value.object, let aid = object[CodingKeys.aid.stringValue]?.unsignedInteger,
                let nextIID = object[CodingKeys.nextIID.stringValue]?.unsignedInteger,
                let iids = object[CodingKeys.iids.stringValue]?.object
            else { return nil }
            self.aid = aid
            self.nextIID = nextIID
            self.iids = Dictionary(minimumCapacity: iids.count)
            for member in iids {
                guard let iid = member.value.unsignedInteger else { return nil }
                self.iids[member.name] = iid
            }
        }

        func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.member(CodingKeys.aid.stringValue, aid)
                writer.key(CodingKeys.iids.stringValue)
                writer.object { writer in
                    for (key, iid) in iids.sorted(by: { $0.value < $1.value }) { writer.member(key, iid) }
                }
                writer.member(CodingKeys.nextIID.stringValue, nextIID)
            }
        }
    }

    private var nextAID: UInt64
    private var accessories: [String: Accessory]

    /// Decodes a table that ``write(to:)`` has written. Returns `nil` if it may be another one.
    init?(usual value: JSONValue) {
        guard let object = value.object, let nextAID = object[CodingKeys.nextAID.stringValue]?.unsignedInteger,
            let accessories = object[CodingKeys.accessories.stringValue]?.object
        else { return nil }
        self.nextAID = nextAID
        self.accessories = Dictionary(minimumCapacity: accessories.count)
        for member in accessories {
            guard let accessory = Accessory(usual: member.value) else { return nil }
            self.accessories[member.name] = accessory
        }
    }

    /// The primary accessory has a fixed key in the table, so that it stays the same if its own key changes.
    private static let primaryKey = ""
    /// The separator of keys. It can't occur in the key of a service.
    static let separator: Character = "/"

    /// Returns the key of a characteristic in the table of iids.
    fileprivate static func key(_ service: String, _ characteristic: HAPType) -> String {
        "\(service)\(separator)\(characteristic.longForm)"
    }

    /// Creates a table for a new server.
    init() {
        nextAID = HAPLimits.primaryAccessoryID + 1
        accessories = [Self.primaryKey: Accessory(aid: HAPLimits.primaryAccessoryID)]
    }

    /// Returns an accessory's attributes with its IDs, and assigns missing ones.
    mutating func attributes(of accessory: HostedAccessory, isPrimary: Bool) -> AccessoryAttributes {
        let key = isPrimary ? Self.primaryKey : accessory.key
        var ids = accessories[key] ?? Accessory(aid: allocateAID())
        defer { accessories[key] = ids }
        // Assign the services first, because other services may link to them.
        let services = accessory.services.map { ids.iid(of: $0.key) }
        let iids = Dictionary(uniqueKeysWithValues: zip(accessory.services.lazy.map(\.key), services))
        return AccessoryAttributes(
            aid: ids.aid,
            services: zip(accessory.services, services).map { service, iid in
                ServiceAttributes(
                    iid: iid,
                    type: service.type,
                    isPrimary: service.isPrimary,
                    isHidden: service.isHidden,
                    linked: service.linked.compactMap { iids[$0] },
                    characteristics: service.characteristics.map { characteristic in
                        CharacteristicAttributes(
                            iid: ids.iid(of: Self.key(service.key, characteristic.type)),
                            type: characteristic.type,
                            permissions: characteristic.permissions,
                            metadata: characteristic.metadata,
                            value: characteristic.value
                        )
                    }
                )
            }
        )
    }

    /// Adopts an accessory's preassigned IDs.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidConfiguration` if they contradict IDs that are already
    ///   assigned.
    mutating func adoptPreassigned(of accessory: HostedAccessory, isPrimary: Bool) throws(AccessoryServerError) {
        guard let preassigned = accessory.identifiers else { return }
        let key = isPrimary ? Self.primaryKey : accessory.key
        var ids: Accessory
        if let existing = accessories[key] {
            ids = existing
            if let aid = preassigned.aid, aid != existing.aid {
                throw .contradiction(
                    "\(accessory.key): its aid can't be \(aid), because it already has \(existing.aid)"
                )
            }
        } else if let aid = preassigned.aid {
            guard !accessories.values.contains(where: { $0.aid == aid }) else {
                throw .contradiction("\(accessory.key): the aid \(aid) belongs to another accessory")
            }
            ids = Accessory(aid: aid)
            nextAID = max(nextAID, aid + 1)
        } else {
            ids = Accessory(aid: allocateAID())
        }
        try ids.adopt(preassigned, of: accessory.key)
        accessories[key] = ids
    }

    /// Assigns new, unused IDs to everything except Accessory Information, whose ID is fixed.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidConfiguration` if there aren't enough left.
    mutating func renumber() throws(AccessoryServerError) {
        for key in accessories.keys { try accessories[key]?.renumber() }
    }

    /// Returns the IDs assigned to an accessory, or `nil` if there are none.
    func assigned(to accessory: String, isPrimary: Bool) -> PreassignedIdentifiers? {
        guard let entry = accessories[isPrimary ? Self.primaryKey : accessory] else { return nil }
        var identifiers = PreassignedIdentifiers(aid: entry.aid, lastIID: entry.nextIID - 1)
        for (key, iid) in entry.iids {
            let parts = key.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
            let type = parts.count == 2 ? HAPType(parts[1]) : nil
            guard parts.count == 1 || type != nil else { continue }
            identifiers.iids[PreassignedIdentifiers.Subject(service: String(parts[0]), characteristic: type)] = iid
        }
        return identifiers
    }

    /// Writes the table as it is decoded. A bridge's table is large, and `JSONEncoder` needs a multiple of the time.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key(CodingKeys.accessories.stringValue)
            writer.object { writer in
                for (key, accessory) in accessories.sorted(by: { $0.value.aid < $1.value.aid }) {
                    writer.key(key)
                    accessory.write(to: &writer)
                }
            }
            writer.member(CodingKeys.nextAID.stringValue, nextAID)
        }
    }

    private mutating func allocateAID() -> UInt64 {
        defer { nextAID += 1 }
        return nextAID
    }
}

extension IdentifierTable.Accessory {
    fileprivate init(aid: UInt64) {
        self.aid = aid
        // Accessory Information has the iid 1 in every accessory, regardless of the order of services.
        let information = HostedService.defaultKey(for: HAPType.Service.accessoryInformation)
        iids = [information: HAPLimits.accessoryInformationID]
        nextIID = HAPLimits.accessoryInformationID + 1
    }

    fileprivate mutating func adopt(
        _ preassigned: PreassignedIdentifiers,
        of accessory: String
    ) throws(AccessoryServerError) {
        var owners = Dictionary(iids.map { ($0.value, $0.key) }) { first, _ in first }
        for (subject, iid) in preassigned.iids {
            let key = subject.characteristic.map { IdentifierTable.key(subject.service, $0) } ?? subject.service
            if let existing = iids[key], existing != iid {
                throw .contradiction("\(accessory)/\(key): its iid can't be \(iid), because it already has \(existing)")
            }
            if let owner = owners.updateValue(key, forKey: iid), owner != key {
                throw .contradiction("\(accessory)/\(key): its iid can't be \(iid), which belongs to \(owner)")
            }
            iids[key] = iid
        }
        let last = max(iids.values.max() ?? 0, preassigned.lastIID ?? 0)
        nextIID = max(nextIID, last + 1)
    }

    fileprivate mutating func renumber() throws(AccessoryServerError) {
        let others = iids.filter { $0.value != HAPLimits.accessoryInformationID }.sorted { $0.value < $1.value }
        guard nextIID <= PreassignedIdentifiers.highest, others.count <= PreassignedIdentifiers.highest - nextIID + 1
        else {
            throw AccessoryServerError(
                .invalidConfiguration,
                reason:
                    "The accessory with the aid \(aid) needs \(others.count) new iids, but there aren't enough iids left "
                    + "from \(nextIID) on"
            )
        }
        for (key, _) in others {
            iids[key] = nextIID
            nextIID += 1
        }
    }

    fileprivate mutating func iid(of key: String) -> UInt64 {
        if let iid = iids[key] { return iid }
        defer { nextIID += 1 }
        iids[key] = nextIID
        return nextIID
    }
}

extension AccessoryServerError {
    fileprivate static func contradiction(_ reason: String) -> AccessoryServerError {
        AccessoryServerError(.invalidConfiguration, reason: reason)
    }
}
