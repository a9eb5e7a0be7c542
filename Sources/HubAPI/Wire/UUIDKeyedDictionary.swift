import Foundation

/// A dictionary with UUID keys that is encoded as a JSON object. By default, Swift encodes an array of alternating keys
/// and values.
struct UUIDKeyedDictionary<Value> {
    var values: [UUID: Value]
}

extension UUIDKeyedDictionary: Encodable where Value: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Dictionary(uniqueKeysWithValues: values.map { ($0.uuidString, $1) }))
    }
}

extension UUIDKeyedDictionary: Decodable where Value: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        values = [:]
        for (key, value) in try container.decode([String: Value].self) {
            guard let id = UUID(uuidString: key), values.updateValue(value, forKey: id) == nil else {
                let reason = "“\(key.prefix(40))” isn't a UUID, or appears twice."
                throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
            }
        }
    }
}
