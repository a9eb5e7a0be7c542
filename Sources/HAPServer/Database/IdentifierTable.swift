internal import HAP
internal import HAPCatalog

/// Which aid and iid belongs to which accessory, service and characteristic.
///
/// Ids are allotted from counters and never given to anything else, so that what was removed and comes back has the IDs
/// that controllers know. Source: HAP specification 2.6.1.
struct IdentifierTable: Hashable, Codable, Sendable {
    /// The IDs of one accessory.
    fileprivate struct Accessory: Hashable, Codable {
        let aid: UInt64
        var nextIID: UInt64
        /// The iids of services, by key, and of characteristics, by service key and type.
        var iids: [String: UInt64]
    }

    private var nextAID: UInt64
    private var accessories: [String: Accessory]

    /// The primary accessory is known by its place: it is the same whatever its key has become.
    private static let primaryKey = ""
    /// Stands in no key of a service.
    static let separator: Character = "/"

    /// By what a characteristic is known among the iids.
    fileprivate static func key(_ service: String, _ characteristic: HAPType) -> String {
        "\(service)\(separator)\(characteristic.longForm)"
    }

    /// Creates a table for a server that was never started.
    init() {
        nextAID = HAPLimits.primaryAccessoryID + 1
        accessories = [Self.primaryKey: Accessory(aid: HAPLimits.primaryAccessoryID)]
    }

    /// An accessory as controllers see it, with its IDs; those that are new are allotted.
    mutating func attributes(of accessory: HostedAccessory, isPrimary: Bool) -> AccessoryAttributes {
        let key = isPrimary ? Self.primaryKey : accessory.key
        var ids = accessories[key] ?? Accessory(aid: allocateAID())
        defer { accessories[key] = ids }
        // Services first, as another may link them before its turn comes.
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

    /// Takes over the IDs that an accessory states, as far as they were not given already.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidConfiguration` if other ones were given.
    mutating func adoptPreassigned(of accessory: HostedAccessory, isPrimary: Bool) throws(AccessoryServerError) {
        guard let stated = accessory.identifiers else { return }
        let key = isPrimary ? Self.primaryKey : accessory.key
        var ids: Accessory
        if let given = accessories[key] {
            ids = given
            if let aid = stated.aid, aid != given.aid {
                throw .contradiction("\(accessory.key): the aid \(aid) was stated, but it has \(given.aid) already")
            }
        } else if let aid = stated.aid {
            guard !accessories.values.contains(where: { $0.aid == aid }) else {
                throw .contradiction("\(accessory.key): the aid \(aid) belongs to another accessory")
            }
            ids = Accessory(aid: aid)
            nextAID = max(nextAID, aid + 1)
        } else {
            ids = Accessory(aid: allocateAID())
        }
        try ids.take(stated, of: accessory.key)
        accessories[key] = ids
    }

    /// Gives everything IDs that nothing had before, but for Accessory Information, whose ID is fixed.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `invalidConfiguration` if there are not as many left.
    mutating func renumber() throws(AccessoryServerError) {
        for key in accessories.keys { try accessories[key]?.renumber() }
    }

    /// The IDs that an accessory was given; `nil` if it never was.
    func assigned(to accessory: String, isPrimary: Bool) -> PreassignedIdentifiers? {
        guard let given = accessories[isPrimary ? Self.primaryKey : accessory] else { return nil }
        var stated = PreassignedIdentifiers(aid: given.aid, lastIID: given.nextIID - 1)
        for (key, iid) in given.iids {
            let parts = key.split(separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
            let type = parts.count == 2 ? HAPType(parts[1]) : nil
            guard parts.count == 1 || type != nil else { continue }
            stated.iids[PreassignedIdentifiers.Subject(service: String(parts[0]), characteristic: type)] = iid
        }
        return stated
    }

    private mutating func allocateAID() -> UInt64 {
        defer { nextAID += 1 }
        return nextAID
    }
}

extension IdentifierTable.Accessory {
    fileprivate init(aid: UInt64) {
        self.aid = aid
        // Whatever the order of services, Accessory Information has iid 1 in every accessory.
        let information = HostedService.defaultKey(for: HAPType.Service.accessoryInformation)
        iids = [information: HAPLimits.accessoryInformationID]
        nextIID = HAPLimits.accessoryInformationID + 1
    }

    fileprivate mutating func take(
        _ stated: PreassignedIdentifiers,
        of accessory: String
    ) throws(AccessoryServerError) {
        var owners = Dictionary(iids.map { ($0.value, $0.key) }) { first, _ in first }
        for (subject, iid) in stated.iids {
            let key = subject.characteristic.map { IdentifierTable.key(subject.service, $0) } ?? subject.service
            if let given = iids[key], given != iid {
                throw .contradiction("\(accessory)/\(key): the iid \(iid) was stated, but it has \(given) already")
            }
            if let owner = owners.updateValue(key, forKey: iid), owner != key {
                throw .contradiction("\(accessory)/\(key): the iid \(iid) was stated, but it belongs to \(owner)")
            }
            iids[key] = iid
        }
        let last = max(iids.values.max() ?? 0, stated.lastIID ?? 0)
        nextIID = max(nextIID, last + 1)
    }

    fileprivate mutating func renumber() throws(AccessoryServerError) {
        let others = iids.filter { $0.value != HAPLimits.accessoryInformationID }.sorted { $0.value < $1.value }
        guard nextIID <= PreassignedIdentifiers.highest, others.count <= PreassignedIdentifiers.highest - nextIID + 1
        else {
            throw AccessoryServerError(
                .invalidConfiguration,
                reason: "The accessory with the aid \(aid) has no \(others.count) iids left from \(nextIID) on"
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
