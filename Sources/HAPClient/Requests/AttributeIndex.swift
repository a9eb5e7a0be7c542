internal import HAP
internal import HAPCatalog

/// Whether a write is sent as a timed write.
enum WriteTiming: Sendable {
    /// The write is not timed.
    case plain
    /// The write is timed, although the accessory doesn't require it. If preparing it fails, it is sent anyway.
    case timedPreferred
    /// The write must be timed (permission `tw`).
    case timedRequired
}

/// An index of the information in the attribute database that requests need, by characteristic.
struct AttributeIndex: Sendable {
    private struct Entry {
        let type: HAPType
        let format: CharacteristicFormat
        let timing: WriteTiming
    }

    /// The characteristics that secure a home. Apple's controllers always use timed writes for them.
    private static let timedByConvention: Set<HAPType> = [
        .Characteristic.lockTargetState, .Characteristic.targetDoorState, .Characteristic.securitySystemTargetState,
    ]

    private var entries: [CharacteristicID: Entry] = [:]
    private var identify: [UInt64: CharacteristicID] = [:]
    /// A readable characteristic with which to probe whether the accessory responds.
    private(set) var probe: CharacteristicID?

    init(_ accessories: [AccessoryAttributes]) {
        for accessory in accessories {
            for characteristic in accessory.services.lazy.flatMap(\.characteristics) {
                let id = CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                entries[id] = Entry(
                    type: characteristic.type,
                    format: characteristic.metadata.format,
                    timing: Self.timing(of: characteristic)
                )
                if characteristic.type == .Characteristic.identify { identify[accessory.aid] = id }
                if probe == nil, characteristic.permissions.contains(.read) { probe = id }
            }
        }
    }

    /// Returns whether an earlier index had a characteristic whose ID now belongs to one of another type, or to none.
    func hasReplaced(_ id: CharacteristicID, of earlier: AttributeIndex) -> Bool {
        guard let former = earlier.entries[id] else { return false }
        return entries[id]?.type != former.type
    }

    /// Returns whether writes to a characteristic are timed.
    func timing(of id: CharacteristicID) -> WriteTiming {
        entries[id]?.timing ?? .plain
    }

    /// Returns the Identify characteristic of an accessory, or `nil` if it has none.
    func identifyCharacteristic(of aid: UInt64) -> CharacteristicID? {
        identify[aid]
    }

    /// Returns a value converted to its characteristic's format, or unchanged if it can't be converted.
    func converted(_ value: CharacteristicValue, for id: CharacteristicID) -> CharacteristicValue {
        entries[id].flatMap { value.converted(to: $0.format) } ?? value
    }

    private static func timing(of characteristic: CharacteristicAttributes) -> WriteTiming {
        if characteristic.permissions.contains(.timedWrite) { return .timedRequired }
        return timedByConvention.contains(characteristic.type) ? .timedPreferred : .plain
    }
}
