import Foundation

/// The JSON of the lines that are signed. A signature covers the bytes of a line as they are, so they are never encoded
/// again.
enum FeedJSON {
    static let lineFeed = UInt8(ascii: "\n")

    static func encode(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // These values have only texts, numbers and bytes, which always encode.
        guard let data = try? encoder.encode(value) else { preconditionFailure("a line can't be encoded") }
        return Array(data)
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from line: [UInt8]) -> Value? {
        try? JSONDecoder().decode(type, from: Data(line))
    }
}
