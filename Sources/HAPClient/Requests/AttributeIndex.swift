internal import HAP
internal import HAPCatalog

/// Whether a write is prepared before it is sent.
enum WriteTiming: Sendable {
    /// It is not.
    case plain
    /// It is, though the accessory does not ask for it: if it can't be prepared it is sent all the same.
    case timedPreferred
    /// It has to be (permission `tw`).
    case timedRequired
}

/// What the requests to an accessory server need of its attribute database, by characteristic.
struct AttributeIndex: Sendable {
    private struct Entry {
        let format: CharacteristicFormat
        let timing: WriteTiming
    }

    /// What opens a house: Apple's controllers prepare every write to these.
    private static let timedByConvention: Set<HAPType> = [
        .Characteristic.lockTargetState, .Characteristic.targetDoorState, .Characteristic.securitySystemTargetState,
    ]

    private var entries: [CharacteristicID: Entry] = [:]
    private var identify: [UInt64: CharacteristicID] = [:]
    /// A characteristic to read when all that matters is an answer.
    private(set) var probe: CharacteristicID?

    init(_ accessories: [AccessoryAttributes]) {
        for accessory in accessories {
            for characteristic in accessory.services.lazy.flatMap(\.characteristics) {
                let id = CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                entries[id] = Entry(format: characteristic.metadata.format, timing: Self.timing(of: characteristic))
                if characteristic.type == .Characteristic.identify { identify[accessory.aid] = id }
                if probe == nil, characteristic.permissions.contains(.read) { probe = id }
            }
        }
    }

    /// Whether writes to a characteristic are prepared.
    func timing(of id: CharacteristicID) -> WriteTiming {
        entries[id]?.timing ?? .plain
    }

    /// The Identify characteristic of an accessory, `nil` if it has none.
    func identifyCharacteristic(of aid: UInt64) -> CharacteristicID? {
        identify[aid]
    }

    /// A value in the form of its characteristic's format, or as it is if it has no such form.
    func converted(_ value: CharacteristicValue, for id: CharacteristicID) -> CharacteristicValue {
        entries[id].flatMap { value.converted(to: $0.format) } ?? value
    }

    private static func timing(of characteristic: CharacteristicAttributes) -> WriteTiming {
        if characteristic.permissions.contains(.timedWrite) { return .timedRequired }
        return timedByConvention.contains(characteristic.type) ? .timedPreferred : .plain
    }
}
