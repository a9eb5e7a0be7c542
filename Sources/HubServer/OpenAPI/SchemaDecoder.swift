import Foundation
import HAPCatalog
import HomeModel

/// What is known of a type's JSON while the type is being decoded.
final class SchemaNode {
    // This is a class because nested containers write to it.

    private enum Shape {
        case unknown
        case known(JSONSchema)
        case array(SchemaNode)
        case object([(name: String, node: SchemaNode, isRequired: Bool)])
    }

    /// Stands for the names of a dictionary.
    static let anyName = "*"

    private var shape = Shape.unknown
    /// The types that are being decoded, for types that contain themselves.
    let types: [any Decodable.Type]

    private init(within types: [any Decodable.Type]) {
        self.types = types
    }

    static func schema(of type: any Decodable.Type) -> JSONSchema {
        let node = SchemaNode(within: [])
        _ = try? node.value(of: type)
        return node.schema
    }

    private var schema: JSONSchema {
        switch shape {
        case .unknown: return .any
        case .known(let schema): return schema
        case .array(let element): return .array(element.schema)
        case .object(let members):
            if let first = members.first, first.name == Self.anyName { return .dictionary(first.node.schema) }
            return .object(
                members.map { JSONSchema.Member(name: $0.name, schema: $0.node.schema, isRequired: $0.isRequired) }
            )
        }
    }

    // MARK: For containers

    /// Records that the type is an object.
    func beginObject() {
        if case .object = shape { return }
        shape = .object([])
    }

    /// Records that the type is an array, and returns the node of its elements.
    func beginArray() -> SchemaNode {
        if case .array(let element) = shape { return element }
        let element = SchemaNode(within: types)
        shape = .array(element)
        return element
    }

    /// Records a member, and returns its node.
    func member(_ name: String, isRequired: Bool) -> SchemaNode {
        guard case .object(var members) = shape else { return SchemaNode(within: types) }
        if let index = members.firstIndex(where: { $0.name == name }) {
            members[index].isRequired = members[index].isRequired || isRequired
            shape = .object(members)
            return members[index].node
        }
        let node = SchemaNode(within: types)
        shape = .object(members + [(name, node, isRequired)])
        return node
    }

    /// Records that the type decides between forms.
    func setAny() {
        shape = .known(.any)
    }

    // MARK: Values

    /// Records a type's shape and returns a value of it.
    ///
    /// - Throws: An error if a value can't be made.
    func value<Value: Decodable>(of type: Value.Type) throws -> Value {
        if let (schema, value) = Self.simple(type) {
            shape = .known(schema)
            guard let value = value as? Value else { throw Self.noValue }
            return value
        }
        if let cases = type as? any CaseIterable.Type, let (values, first) = Self.cases(of: cases) {
            shape = .known(.oneOf(values))
            guard let value = first as? Value else { throw Self.noValue }
            return value
        }
        guard !types.contains(where: { $0 == type }) else { throw Self.noValue }
        let inner = SchemaNode(within: types + [type])
        defer { shape = inner.shape }
        do {
            let value = try Value(from: SchemaDecoder(node: inner))
            if case .unknown = inner.shape { inner.beginObject() }
            return value
        } catch {
            // The members so far are right, but others may follow.
            if case .object(let members) = inner.shape, members.isEmpty { inner.setAny() }
            throw error
        }
    }

    private static let noValue = DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "The type's values can't be made.")
    )

    private static func simple(_ type: any Decodable.Type) -> (JSONSchema, any Sendable)? {
        switch type {
        case is Bool.Type: (.scalar("boolean"), false)
        case is String.Type: (.scalar("string"), "")
        case is Double.Type: (.scalar("number", format: "double"), 0.0)
        case is Float.Type: (.scalar("number", format: "float"), Float(0))
        case is Int.Type: (.scalar("integer", format: "int64"), 0)
        case is Int8.Type: (.scalar("integer", format: "int8"), Int8(0))
        case is Int16.Type: (.scalar("integer", format: "int16"), Int16(0))
        case is Int32.Type: (.scalar("integer", format: "int32"), Int32(0))
        case is Int64.Type: (.scalar("integer", format: "int64"), Int64(0))
        case is UInt8.Type: (.scalar("integer", format: "uint8"), UInt8(0))
        case is UInt16.Type: (.scalar("integer", format: "uint16"), UInt16(0))
        case is UInt32.Type: (.scalar("integer", format: "uint32"), UInt32(0))
        case is UInt64.Type: (.scalar("integer", format: "uint64"), UInt64(0))
        case is UUID.Type: (.scalar("string", format: "uuid"), UUID())
        case is Date.Type: (.scalar("number", format: "double"), Date(timeIntervalSinceReferenceDate: 0))
        case is Data.Type: (.scalar("string", format: "byte"), Data())
        // These try one form after the other.
        case is CharacteristicValue.Type: (.any, CharacteristicValue.bool(false))
        case is JSONValue.Type: (.any, JSONValue.null)
        default: nil
        }
    }

    /// Returns the names of an enumeration whose JSON is a string, and its first case.
    private static func cases<Values: CaseIterable>(of type: Values.Type) -> ([String], Any)? {
        let values = type.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
        guard let first = type.allCases.first, values.count == type.allCases.count else { return nil }
        return (values, first)
    }
}

/// A decoder that has no JSON. It records what a type asks for and makes up values.
struct SchemaDecoder: Decoder {
    let node: SchemaNode
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        node.beginObject()
        return KeyedDecodingContainer(SchemaObject<Key>(node: node))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        SchemaArray(node: node.beginArray())
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        SchemaScalar(node: node)
    }
}

/// The members that a type asks for.
private struct SchemaObject<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let node: SchemaNode
    var codingPath: [any CodingKey] { [] }
    /// A dictionary reads all keys. Other types don't accept this one.
    var allKeys: [Key] { Key(stringValue: SchemaNode.anyName).map { [$0] } ?? [] }

    func contains(_ key: Key) -> Bool {
        _ = node.member(key.stringValue, isRequired: false)
        return true
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        _ = node.member(key.stringValue, isRequired: false)
        return false
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try node.member(key.stringValue, isRequired: true).value(of: type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try? node.member(key.stringValue, isRequired: false).value(of: type)
    }

    // The standard library calls these instead of the generic one.
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }

    private func optional<Value: Decodable>(_ type: Value.Type, _ key: Key) throws -> Value? {
        try node.member(key.stringValue, isRequired: false).value(of: type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try SchemaDecoder(node: node.member(key.stringValue, isRequired: true)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try SchemaDecoder(node: node.member(key.stringValue, isRequired: true)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { SchemaDecoder(node: node) }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        SchemaDecoder(node: node.member(key.stringValue, isRequired: true))
    }
}

/// The elements that a type asks for: one.
private struct SchemaArray: UnkeyedDecodingContainer {
    let node: SchemaNode
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 1 }
    var isAtEnd: Bool { currentIndex > 0 }
    private(set) var currentIndex = 0

    init(node: SchemaNode) {
        self.node = node
    }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        currentIndex += 1
        return try node.value(of: type)
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        currentIndex += 1
        return try SchemaDecoder(node: node).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        currentIndex += 1
        return try SchemaDecoder(node: node).unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { SchemaDecoder(node: node) }
}

/// The value that a type asks for.
private struct SchemaScalar: SingleValueDecodingContainer {
    let node: SchemaNode
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try node.value(of: type)
    }
}
