import HAPCatalog

/// A JSON object of a HAP message, read by key. What HAP requires throws when it is missing; what it leaves open is
/// `nil` when it is missing or of the wrong kind.
struct AttributeObject {
    private let members: JSONObject

    /// Who wrote a body: accessories are given more latitude, for a controller cannot mend them.
    enum Sender {
        case accessory
        case controller
    }

    /// Parses a body whose root is an object.
    init(parsing body: [UInt8], from sender: Sender) throws(AttributeDecodingError) {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: body, allowingTrailingCommas: sender == .accessory)
        } catch {
            throw AttributeDecodingError(reason: error.description)
        }
        self = try AttributeObject(root)
    }

    init(_ value: JSONValue) throws(AttributeDecodingError) {
        guard case .object(let members) = value else {
            throw AttributeDecodingError(reason: "an object was expected, not \(value.kind)")
        }
        self.members = members
    }

    func has(_ key: String) -> Bool {
        members[key] != nil
    }

    // MARK: What HAP requires

    func id(_ key: String) throws(AttributeDecodingError) -> UInt64 {
        let value = try required(key)
        guard let id = value.unsignedInteger else {
            throw AttributeDecodingError(
                path: key,
                reason: "an unsigned 64-bit integer was expected, not \(value.kind)"
            )
        }
        return id
    }

    func string(_ key: String) throws(AttributeDecodingError) -> String {
        let value = try required(key)
        guard case .string(let string) = value else {
            throw AttributeDecodingError(path: key, reason: "a string was expected, not \(value.kind)")
        }
        return string
    }

    func type(_ key: String) throws(AttributeDecodingError) -> HAPType {
        let string = try string(key)
        guard let type = HAPType(string) else {
            throw AttributeDecodingError(path: key, reason: "'\(string)' is no type: up to 8 hex digits or a UUID")
        }
        return type
    }

    func permissions(_ key: String) throws(AttributeDecodingError) -> CharacteristicPermissions {
        let value = try required(key)
        guard case .array(let elements) = value else {
            throw AttributeDecodingError(path: key, reason: "an array was expected, not \(value.kind)")
        }
        return CharacteristicPermissions(names: elements.compactMap(\.string))
    }

    /// Decodes an array of objects; an error names the element.
    func list<Element>(
        _ key: String,
        _ decode: (AttributeObject) throws(AttributeDecodingError) -> Element
    ) throws(AttributeDecodingError) -> [Element] {
        let value = try required(key)
        guard case .array(let elements) = value else {
            throw AttributeDecodingError(path: key, reason: "an array was expected, not \(value.kind)")
        }
        var decoded: [Element] = []
        decoded.reserveCapacity(elements.count)
        for element in elements {
            do {
                decoded.append(try decode(AttributeObject(element)))
            } catch {
                throw error.within("\(key)[\(decoded.count)]")
            }
        }
        return decoded
    }

    private func required(_ key: String) throws(AttributeDecodingError) -> JSONValue {
        guard let value = members[key] else { throw AttributeDecodingError(path: key, reason: "is missing") }
        return value
    }

    // MARK: What HAP leaves open

    func optionalString(_ key: String) -> String? {
        members[key]?.string
    }

    func optionalList(_ key: String) -> [JSONValue]? {
        members[key]?.array
    }

    func unsignedInteger(_ key: String) -> UInt64? {
        members[key]?.unsignedInteger
    }

    func integer(_ key: String) -> Int64? {
        members[key]?.integer
    }

    func length(_ key: String) -> Int? {
        integer(key).flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// `true`, `false`, 1 or 0.
    func flag(_ key: String) -> Bool? {
        guard case .bool(let flag) = value(key)?.converted(to: .bool) else { return nil }
        return flag
    }

    func number(_ key: String) -> CharacteristicValue? {
        value(key).flatMap { $0.number == nil ? nil : $0 }
    }

    func value(_ key: String) -> CharacteristicValue? {
        members[key].flatMap(CharacteristicValue.init(json:))
    }

    /// The value in the form that a format asks for, or as it came if it does not fit.
    func value(_ key: String, as format: CharacteristicFormat?) -> CharacteristicValue? {
        guard let value = value(key) else { return nil }
        return format.flatMap { value.converted(to: $0) } ?? value
    }

    /// A status, `nil` if there is none; one of the wrong kind throws, for it is no success. Accessories that leave the
    /// sign out are understood.
    func status(_ key: String) throws(AttributeDecodingError) -> HAPStatus? {
        guard let value = members[key] else { return nil }
        guard let number = value.integer.flatMap({ Int(exactly: $0) }) else {
            throw AttributeDecodingError(path: key, reason: "an integer was expected, not \(value.kind)")
        }
        return HAPStatus(lenient: number)
    }
}
