import Foundation

/// A dictionary by UUID as a JSON object. By itself it would be an array in which keys and values alternate.
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
                let reason = "“\(key.prefix(40))” is no UUID, or is there twice."
                throw DecodingError.dataCorruptedError(in: container, debugDescription: reason)
            }
        }
    }
}
