import Foundation
import HAPCatalog
import LocalRPC

extension [UInt8] {
    /// Appends a string with its quotes.
    ///
    /// - Throws: `EncodingError` if the string can't be encoded.
    mutating func append(jsonText text: String) throws {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != JSONScanner.quote && $0 != JSONScanner.backslash }) else {
            self += try JSONEncoder().encode(text)
            return
        }
        append(JSONScanner.quote)
        self += text.utf8
        append(JSONScanner.quote)
    }

    /// Appends the value of a characteristic, or `null`.
    ///
    /// - Throws: `EncodingError` if JSON can't represent a number.
    mutating func append(jsonValue value: CharacteristicValue?) throws {
        switch value {
        case nil: self += "null".utf8
        case .bool(let value): self += (value ? "true" : "false").utf8
        case .integer(let value): self += String(value).utf8
        case .double(let value) where value.isFinite:
            let digits = value.description.utf8
            // As JSONEncoder does, which writes 21.0 as 21.
            self += digits.suffix(2).elementsEqual(".0".utf8) ? digits.dropLast(2) : digits[...]
        case .string(let text): try append(jsonText: text)
        case let value?: self += try JSONEncoder().encode(value)
        }
    }
}
