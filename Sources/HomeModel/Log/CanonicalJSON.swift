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

    /// Reads a value.
    ///
    /// - Throws: `DecodingError` for what is not that value.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        try JSONDecoder().decode(type, from: Data(bytes))
    }
}
