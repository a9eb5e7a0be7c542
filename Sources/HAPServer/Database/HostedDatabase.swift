internal import HAP
internal import HAPCatalog

/// The accessories of one server with their IDs and current values.
///
/// It can't be copied, so that a server that reads a value doesn't copy it.
struct HostedDatabase: ~Copyable, Sendable {
    /// The path of a characteristic in ``attributes``, and its properties that controllers don't see.
    struct Entry: Sendable {
        let id: CharacteristicID
        let address: CharacteristicAddress
        let adminOnly: CharacteristicPermissions
        let isStateless: Bool
        fileprivate let path: Path
    }

    /// The place of a characteristic in ``attributes``.
    fileprivate typealias Path = (accessory: Int, service: Int, characteristic: Int)

    /// The content of `GET /accessories`.
    private(set) var attributes: AttributeDatabase
    /// A digest of everything except the values. It includes the values of ``fixed`` characteristics.
    let structure: StructureDigest
    /// Sorted by ID, because a binary search takes less time and memory than a dictionary.
    let entries: [Entry]
    private let ids: [CharacteristicAddress: CharacteristicID]
    /// The body of `GET /accessories`.
    private var body = EncodedDatabase()

    /// Creates a database from validated accessories, the primary one first, and assigns missing IDs.
    init(_ accessories: [HostedAccessory], identifiers: inout IdentifierTable) {
        var attributes: [AccessoryAttributes] = []
        var entries: [Entry] = []
        var ids: [CharacteristicAddress: CharacteristicID] = [:]
        let count = accessories.lazy.flatMap(\.services).reduce(0) { $0 + $1.characteristics.count }
        entries.reserveCapacity(count)
        ids.reserveCapacity(count)
        var information: [UInt8] = []
        for (accessoryIndex, accessory) in accessories.enumerated() {
            let assigned = identifiers.attributes(of: accessory, isPrimary: accessoryIndex == 0)
            for (serviceIndex, service) in accessory.services.enumerated() {
                for (index, characteristic) in service.characteristics.enumerated() {
                    let iid = assigned.services[serviceIndex].characteristics[index].iid
                    let id = CharacteristicID(aid: assigned.aid, iid: iid)
                    let address = CharacteristicAddress(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    ids[address] = id
                    if Self.fixed.contains(characteristic.type),
                        let value = assigned.services[serviceIndex].characteristics[index].value
                    {
                        information += Array("\(id) \(value)\n".utf8)
                    }
                    entries.append(
                        Entry(
                            id: id,
                            address: address,
                            adminOnly: characteristic.adminOnly,
                            isStateless: characteristic.isStateless,
                            path: (accessoryIndex, serviceIndex, index)
                        )
                    )
                }
            }
            attributes.append(assigned)
        }
        self.attributes = AttributeDatabase(accessories: attributes)
        self.entries = entries.sorted { $0.id < $1.id }
        self.ids = ids
        structure = StructureDigest(self.attributes.encoded(includingValues: false) + information)
    }

    /// The characteristics that controllers read once and that have no events. If their values change, the
    /// configuration number must increase, as it must after a firmware update.
    private static let fixed: Set<HAPType> = [
        HAPType.Characteristic.name, HAPType.Characteristic.manufacturer, HAPType.Characteristic.model,
        HAPType.Characteristic.firmwareRevision, HAPType.Characteristic.hardwareRevision,
    ]

    /// Returns the place of a characteristic in ``entries``, or `nil` if there is none with this ID.
    func index(of id: CharacteristicID) -> Int? {
        var (start, end) = (0, entries.count)
        while start < end {
            let middle = (start + end) / 2
            if entries[middle].id < id { start = middle + 1 } else { end = middle }
        }
        return start < entries.count && entries[start].id == id ? start : nil
    }

    /// Returns the ID of a characteristic, or `nil` if there is none with this address.
    func id(of address: CharacteristicAddress) -> CharacteristicID? {
        ids[address]
    }

    /// All characteristics.
    var addresses: some Sequence<(address: CharacteristicAddress, id: CharacteristicID)> {
        ids.lazy.map { ($0.key, $0.value) }
    }

    /// The attributes that controllers see of the characteristic at a place in ``entries``.
    subscript(index: Int) -> CharacteristicAttributes {
        // Where only some of them are used, the others aren't copied.
        @inline(__always)
        get {
            let path = entries[index].path
            return attributes.accessories[path.accessory].services[path.service].characteristics[path.characteristic]
        }
    }

    /// Returns the current value of a characteristic, or `nil` if it has none.
    func value(_ id: CharacteristicID) -> CharacteristicValue? {
        index(of: id).flatMap { self[$0].value }
    }

    /// Sets the value of the characteristic at a place in ``entries`` to a validated one.
    ///
    /// - Returns: Whether subscribers must be notified.
    mutating func set(_ value: CharacteristicValue, at index: Int) -> Bool {
        if entries[index].isStateless { return true }
        guard self[index].permissions.contains(.read), self[index].value != value else { return false }
        let path = entries[index].path
        attributes.accessories[path.accessory].services[path.service]
            .characteristics[path.characteristic].value = value
        body.recordChange(of: path.accessory)
        return true
    }

    /// Restores the values of characteristics that already existed, if they are still allowed.
    ///
    /// - Parameter resetting: The characteristics whose values are not restored.
    /// - Returns: The characteristics that already existed and have a different value now.
    mutating func restoreValues(
        from previous: borrowing HostedDatabase,
        excluding resetting: Set<CharacteristicAddress>
    ) -> [(id: CharacteristicID, value: CharacteristicValue)] {
        var changed: [(CharacteristicID, CharacteristicValue)] = []
        for (index, entry) in entries.enumerated() {
            guard let old = previous.value(entry.id), let new = self[index].value, old != new else { continue }
            let restored = try? self[index].metadata.validate(old, checkingStep: false)
            if let restored, !resetting.contains(entry.address) {
                _ = set(restored, at: index)
            } else {
                changed.append((entry.id, new))
            }
        }
        return changed
    }

    /// Returns an accessory with the keys of its services, or `nil` if there is none with this key.
    func hosted(_ accessory: String) -> (attributes: AccessoryAttributes, services: [String])? {
        for attributes in attributes.accessories {
            let keys = attributes.services.map { service in
                service.characteristics.first.flatMap { index(of: CharacteristicID(aid: attributes.aid, iid: $0.iid)) }
                    .map { entries[$0].address }
            }
            guard keys.first??.accessory == accessory else { continue }
            return (attributes, keys.map { $0?.service ?? "" })
        }
        return nil
    }

    /// Returns the body of `GET /accessories`.
    mutating func encoded() -> [UInt8] {
        body.encoded(attributes)
    }
}
