import Foundation
import HAPCatalog
import HomeModel

extension JournalContent {
    /// Returns the same JSON as `JSONEncoder`.
    ///
    /// Values, changes and scenes are most entries of a journal, so their JSON is written directly, without a coder.
    ///
    /// - Throws: `EncodingError` if JSON can't represent a number.
    package func json() throws -> [UInt8] {
        var json: [UInt8] = []
        json.reserveCapacity(Self.usualLength)
        switch self {
        case .value(let value):
            json += #"{"value":"#.utf8
            try json.append(value)
        case .change(let verb, let objects):
            json += #"{"change":{"verb":"#.utf8
            try json.append(jsonText: verb.rawValue)
            json += #","objects":["#.utf8
            for (index, object) in objects.enumerated() {
                if index > 0 { json += ",".utf8 }
                try json.append(object)
            }
            json += "]}".utf8
        case .scene(let object, let actions, let failures):
            json += #"{"scene":{"scene":"#.utf8
            try json.append(object)
            json += #","actions":\#(actions),"failures":\#(failures)}"#.utf8
        default:
            return Array(try JSONEncoder().encode(self))
        }
        json += "}".utf8
        return json
    }

    /// The length in bytes that few contents exceed.
    private static let usualLength = 256
}

extension [UInt8] {
    fileprivate mutating func append(_ object: JournalObject) throws {
        self += #"{"id":"#.utf8
        append(jsonID: object.id)
        self += #","name":"#.utf8
        try append(jsonText: object.name)
        if object.isUser { self += #","isUser":true"#.utf8 }
        self += "}".utf8
    }

    fileprivate mutating func append(_ value: JournalValue) throws {
        self += #"{"accessory":"#.utf8
        try append(value.accessory)
        if let service = value.service {
            self += #","service":"#.utf8
            try append(jsonText: service)
        }
        self += #","iid":"#.utf8
        self += String(value.iid).utf8
        self += #","type":"#.utf8
        try append(jsonText: value.type.shortForm)
        if let content = value.value {
            self += #","value":"#.utf8
            try append(jsonValue: content)
        }
        if let previous = value.previous {
            self += #","previous":"#.utf8
            try append(jsonValue: previous)
        }
        self += "}".utf8
    }
}
