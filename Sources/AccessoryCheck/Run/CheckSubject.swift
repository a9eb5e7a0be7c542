internal import HAP
internal import HAPCatalog

/// The characteristic that the suite writes, and two of its values.
struct CheckSubject {
    let characteristic: CheckedDatabase.Characteristic
    /// Two values that it can have, as JSON.
    let values: [String]
    /// A value that it can't have, as JSON, if there is one of the right kind.
    let invalid: String?

    var id: CharacteristicID { characteristic.id }

    /// Services that move, lock or let something flow. They are written only if that is allowed.
    private static let actuators: Set<HAPType> = [
        HAPType.Service.door, HAPType.Service.window, HAPType.Service.windowCovering,
        HAPType.Service.garageDoorOpener, HAPType.Service.lockMechanism, HAPType.Service.lockManagement,
        HAPType.Service.securitySystem, HAPType.Service.valve, HAPType.Service.irrigationSystem,
        HAPType.Service.faucet,
    ]

    /// Services whose writing nobody minds, best first.
    private static let preferred = [
        HAPType.Service.lightbulb, HAPType.Service.switch, HAPType.Service.outlet, HAPType.Service.fan,
    ]

    /// Returns the best subject, or `nil` if there is none.
    static func best(in database: CheckedDatabase, allowingActuators: Bool) -> CheckSubject? {
        let candidates = database.characteristics.filter { characteristic in
            guard let service = characteristic.serviceType, service != HAPType.Service.accessoryInformation else {
                return false
            }
            return (allowingActuators || !actuators.contains(service))
                && ["pr", "pw", "ev"].allSatisfy(characteristic.allows)
                && !["tw", "aa", "hd"].contains(where: characteristic.allows)
        }
        let subjects = candidates.compactMap(CheckSubject.init)
        return subjects.min { $0.rank < $1.rank }
    }

    private var rank: Int {
        let service = characteristic.serviceType.flatMap { Self.preferred.firstIndex(of: $0) } ?? Self.preferred.count
        return service * 2 + (characteristic.format == "bool" ? 0 : 1)
    }

    private init?(_ characteristic: CheckedDatabase.Characteristic) {
        self.characteristic = characteristic
        switch characteristic.format {
        case "bool":
            values = ["false", "true"]
            invalid = "7"
        case "uint8", "uint16", "uint32", "int":
            let low = characteristic.object["minValue"]?.integer ?? 0
            let high = characteristic.object["maxValue"]?.integer ?? 100
            let step = max(characteristic.object["minStep"]?.integer ?? 1, 1)
            guard characteristic.object["valid-values"] == nil, low + step <= high else { return nil }
            values = ["\(low)", "\(low + step)"]
            invalid = "\(high + step)"
        default:
            return nil
        }
    }

    /// Returns the one of the two values that the characteristic doesn't have.
    func other(than value: JSONValue?) -> String {
        values.first { !CheckSubject.isSame($0, value) } ?? values[1]
    }

    /// Returns whether two values are the same to HAP, which writes a bool as `true` or `1`.
    static func isSame(_ text: String, _ value: JSONValue?) -> Bool {
        guard let value else { return false }
        return CheckSubject.text(value).map { number($0) == number(text) } ?? false
    }

    private static func number(_ text: String) -> String {
        switch text {
        case "true": "1"
        case "false": "0"
        default: text
        }
    }

    /// Returns a bool or a whole number as JSON, or `nil` for any other value.
    static func text(_ value: JSONValue) -> String? {
        switch value {
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)"
        case .double(let value) where value == value.rounded() && abs(value) < 1e15: "\(Int64(value))"
        case .null, .double, .string, .array, .object: nil
        }
    }
}
