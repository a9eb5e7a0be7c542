import Foundation

/// The shape of a type's JSON, as JSON Schema describes it.
indirect enum JSONSchema: Hashable, Sendable {
    /// A type without parts: `type`, and what else restricts it.
    case scalar(String, format: String? = nil)
    /// One of several strings.
    case oneOf([String])
    /// An array.
    case array(JSONSchema)
    /// An object with any names.
    case dictionary(JSONSchema)
    /// An object.
    case object([Member])
    /// Any JSON.
    case any

    /// A member of an object.
    struct Member: Hashable, Sendable {
        var name: String
        var schema: JSONSchema
        var isRequired: Bool
    }

    /// The schema as an object for `JSONSerialization`.
    var json: [String: Any] {
        switch self {
        case .scalar(let type, let format):
            var json: [String: Any] = ["type": type]
            json["format"] = format
            return json
        case .oneOf(let values): return ["type": "string", "enum": values]
        case .array(let element): return ["type": "array", "items": element.json]
        case .dictionary(let value): return ["type": "object", "additionalProperties": value.json]
        case .object(let members):
            var json: [String: Any] = ["type": "object"]
            let properties = members.map { ($0.name, $0.schema.json) }
            if !members.isEmpty { json["properties"] = Dictionary(properties) { first, _ in first } }
            let required = members.filter(\.isRequired).map(\.name)
            if !required.isEmpty { json["required"] = required }
            return json
        case .any: return [:]
        }
    }
}

extension JSONSchema {
    /// Returns the shape of a type's JSON.
    ///
    /// The type's own decoding shows it: it asks for its members one after another, and gets a value for each. Where the
    /// decoding decides between forms, the schema permits any JSON.
    init(of type: any Decodable.Type) {
        self = SchemaNode.schema(of: type)
    }
}
