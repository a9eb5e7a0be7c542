import Foundation
package import HAPCatalog
package import HomeModel

/// The values of a characteristic in people's words: “unlocked”, “21.5 °C”, “on”.
package struct ValueText: Sendable {
    /// The characteristic's type.
    package let type: HAPType
    /// The characteristic's metadata. For a type of the catalog, the catalog's if the accessory's isn't known.
    package let metadata: CharacteristicMetadata
    /// The language.
    package let language: Language

    /// Creates the words for a characteristic of an accessory.
    package init(_ characteristic: CharacteristicShape, language: Language = .english) {
        self.init(characteristic.type, characteristic.metadata, language: language)
    }

    /// Creates the words for a characteristic of which only the type may be known.
    package init(_ type: HAPType, _ metadata: CharacteristicMetadata? = nil, language: Language = .english) {
        self.type = type
        self.metadata =
            metadata ?? CharacteristicDefinition.of(type)?.metadata
            ?? CharacteristicMetadata(format: .other("unknown"))
        self.language = language
    }

    /// Returns a value's state, as in “Front Door is unlocked”, or the number with its unit. For tables, where the
    /// characteristic's name is beside it, Booleans without other words are on and off.
    package func text(of value: CharacteristicValue?) -> String {
        guard let value else { return "–" }
        if let words = language.words(for: value, of: type) { return words.state }
        if let name = CharacteristicDefinition.of(type)?.name(of: value) { return name.lowercasedWords }
        switch value {
        case .bool(let isOn): return isOn ? "on" : "off"
        case .string(let text): return text
        case .data: return "\(value)"
        case .integer, .unsigned, .double: return "\(value)\(unit)"
        }
    }

    /// Returns a number with the characteristic's unit.
    package func text(of number: Double) -> String { "\(CharacteristicValue.double(number))\(unit)" }

    private var unit: String {
        switch metadata.unit {
        case .percentage?: " %"
        case .celsius?: " °C"
        case .arcdegrees?: "°"
        case .lux?: " lx"
        case .seconds?: " s"
        default: ""
        }
    }

    /// Returns the value that people mean by a text: a state, a value's name in HAP, a number with or without its unit,
    /// on or off, or text.
    ///
    /// - Returns: The value, in the characteristic's format; `nil` if the text isn't a value of the characteristic.
    package func value(of text: String) -> CharacteristicValue? {
        let lower = text.lowercased()
        if let words = language.words(of: type).first(where: { $0.state == lower }) {
            return CharacteristicValue.integer(words.value).converted(to: metadata.format)
        }
        if let named = CharacteristicDefinition.of(type)?.value(named: text) { return named }
        switch metadata.format {
        case .string:
            return .string(text)
        case .tlv8, .data:
            return Data(base64Encoded: text).map { .data(Array($0)) }
        case .bool:
            switch lower {
            case "on", "true", "yes", "1": return .bool(true)
            case "off", "false", "no", "0": return .bool(false)
            default: return nil
            }
        default:
            let unit = ["%", "°c", "°", "lx", "s"].first { lower.hasSuffix($0) } ?? ""
            let digits = lower.dropLast(unit.count).trimmingCharacters(in: .whitespaces)
            if let whole = Int64(digits) { return .integer(whole) }
            if let whole = UInt64(digits) { return .number(whole) }
            if let number = Double(digits), number.isFinite { return .double(number) }
            return nil
        }
    }

    /// An example of what ``value(of:)`` accepts.
    package var example: String {
        switch metadata.format {
        case .bool: return "on or off"
        case .tlv8, .data: return "base64"
        default:
            let states = language.words(of: type).map(\.state)
            let names = CharacteristicDefinition.of(type)?.namedValues.map(\.name.lowercasedWords) ?? []
            let known = states.isEmpty ? names : states
            return known.isEmpty ? "a number" : language.list(known, .or)
        }
    }
}

extension String {
    /// The catalog's name of a value as it stands inside a sentence: “counter clockwise”, but “CO2”.
    var lowercasedWords: String {
        split(separator: " ").map { word in
            word.dropFirst().contains(where: \.isUppercase) || word.contains(where: \.isNumber)
                ? String(word) : word.lowercased()
        }.joined(separator: " ")
    }
}
