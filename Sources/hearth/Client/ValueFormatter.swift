import Foundation
import HAPCatalog
import HomeModel

/// Formats and parses the values of a characteristic.
struct ValueFormatter {
    let characteristic: CharacteristicShape

    /// Returns the value with its name or unit.
    func text(of value: CharacteristicValue?) -> String {
        guard let value else { return "–" }
        if let name = CharacteristicDefinition.of(characteristic.type)?.name(of: value) { return "\(value) (\(name))" }
        if case .bool(let isOn) = value { return isOn ? "on" : "off" }
        switch characteristic.metadata.unit {
        case .percentage?: return "\(value) %"
        case .celsius?: return "\(value) °C"
        case .arcdegrees?: return "\(value)°"
        case .lux?: return "\(value) lx"
        case .seconds?: return "\(value) s"
        default: return "\(value)"
        }
    }

    /// Parses a number with or without its unit, on or off, a value's name, or text.
    ///
    /// - Throws: `invalidValueType` if the text isn't a value of the characteristic's format.
    func value(of text: String) throws(CommandFailure) -> CharacteristicValue {
        if let named = CharacteristicDefinition.of(characteristic.type)?.value(named: text) { return named }
        let format = characteristic.metadata.format
        switch format {
        case .string:
            return .string(text)
        case .tlv8, .data:
            if let bytes = Data(base64Encoded: text) { return .data(Array(bytes)) }
        case .bool:
            switch text.lowercased() {
            case "on", "true", "yes", "1": return .bool(true)
            case "off", "false", "no", "0": return .bool(false)
            default: break
            }
        default:
            let units = ["%", "°c", "°", "lx", "s"]
            let lower = text.lowercased()
            let unit = units.first { lower.hasSuffix($0) } ?? ""
            let digits = lower.dropLast(unit.count).trimmingCharacters(in: .whitespaces)
            if let whole = Int64(digits) { return .integer(whole) }
            if let whole = UInt64(digits) { return .number(whole) }
            if let number = Double(digits), number.isFinite { return .double(number) }
        }
        let example = format == .bool ? "on or off" : format == .tlv8 || format == .data ? "base64" : "a number"
        throw CommandFailure(
            "invalidValueType",
            "“\(text)” is not a value of \(characteristic.displayName). Use \(example)."
        )
    }
}
