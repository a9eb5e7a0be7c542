package import Foundation

/// A type of the most frequent messages, which are read and written without a coder in their usual form.
///
/// A form that isn't the usual one, such as an error or a member of a newer version, is left to the coders. Both ways have
/// the same result.
package protocol PlainJSON: Codable {
    /// Reads a value; `nil` if the JSON isn't in the usual form.
    init?(plainJSON json: Data)
    /// Returns the value as JSON; `nil` if it isn't in the usual form.
    func plainJSON() -> Data?
}

/// JSON of any type, without a coder where the type has such a form.
package enum MessageJSON {
    /// Decodes a value.
    ///
    /// - Throws: `DecodingError` if `json` isn't a value of the type.
    package static func decode<Value: Decodable>(_ type: Value.Type, from json: Data) throws -> Value {
        if let plain = type as? any PlainJSON.Type, let value = plain.init(plainJSON: json) as? Value { return value }
        return try JSONDecoder().decode(type, from: json)
    }

    /// Encodes a value.
    ///
    /// - Throws: `EncodingError` if JSON can't represent the value.
    package static func encode(_ value: some Encodable) throws -> Data {
        if let plain = value as? any PlainJSON, let json = plain.plainJSON() { return json }
        return try JSONEncoder().encode(value)
    }
}
