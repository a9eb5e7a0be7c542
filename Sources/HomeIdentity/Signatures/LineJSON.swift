import Foundation

/// The JSON of lines that are signed or exchanged by keys' owners. A signature covers the bytes of a line as they are, so
/// they are never encoded again.
package enum LineJSON {
    /// The end of a line.
    package static let lineFeed = UInt8(ascii: "\n")

    /// Returns the line of a value, without a line feed.
    package static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // These values have only texts, numbers and bytes, which always encode.
        guard let data = try? encoder.encode(value) else { preconditionFailure("a line can't be encoded") }
        return Array(data)
    }

    /// Reads a line; `nil` if it has another form.
    package static func decode<Value: Decodable>(_ type: Value.Type, from line: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(line))
    }
}
