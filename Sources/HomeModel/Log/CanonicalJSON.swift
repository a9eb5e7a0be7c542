import Foundation

/// The one way in which this module writes JSON: members in a fixed order, no white space, so that equal values are
/// equal bytes.
enum CanonicalJSON {
    /// Writes a value.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot say.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Writes a text, as ``encode(_:)`` would: in quotes, with what JSON cannot say plainly escaped.
    static func literal(_ text: String) throws -> [UInt8] {
        let isPlain = text.utf8.allSatisfy {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        return isPlain ? [UInt8(ascii: "\"")] + text.utf8 + [UInt8(ascii: "\"")] : try encode(text)
    }

    /// Reads a value.
    ///
    /// - Throws: `DecodingError` for what is not that value.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
