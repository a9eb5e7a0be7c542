import Foundation

/// The JSON form that this module writes: sorted members and no white space, so that equal values have equal bytes.
enum CanonicalJSON {
    /// Encodes a value.
    ///
    /// - Throws: `EncodingError` if a number can't be represented in JSON.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// Encodes a string as ``encode(_:)`` does, without an encoder if it needs no escaping.
    static func literal(_ text: String) throws -> [UInt8] {
        let isPlain = text.utf8.allSatisfy {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }
        return isPlain ? [UInt8(ascii: "\"")] + text.utf8 + [UInt8(ascii: "\"")] : try encode(text)
    }

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError` if the bytes don't encode such a value.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
