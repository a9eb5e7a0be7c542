import HAPCatalog

/// A JSON object of a HAP message, read by key. A required member throws if it is missing; an optional one is `nil` if
/// it is missing or of the wrong kind.
struct AttributeObject {
    private let members: JSONObject
    private let sender: Sender

    /// The sender of a body. Accessories get more leeway, because a controller can't fix them.
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
        self = try AttributeObject(root, from: sender)
    }

    private init(_ value: JSONValue, from sender: Sender) throws(AttributeDecodingError) {
        guard case .object(let members) = value else {
            throw AttributeDecodingError(reason: "expected an object, not \(value.kind)")
        }
        self.members = members
        self.sender = sender
    }

    func has(_ key: String) -> Bool {
        members[key] != nil
    }

    // MARK: Required members

    func id(_ key: String) throws(AttributeDecodingError) -> UInt64 {
        let value = try required(key)
        let id = sender == .accessory ? value.wholeUnsignedInteger : value.unsignedInteger
        guard let id else {
            throw AttributeDecodingError(
                path: key,
                reason: "expected an unsigned 64-bit integer, not \(value.kind)"
            )
        }
        return id
    }

    func string(_ key: String) throws(AttributeDecodingError) -> String {
        let value = try required(key)
        guard case .string(let string) = value else {
            throw AttributeDecodingError(path: key, reason: "expected a string, not \(value.kind)")
        }
        return string
    }

    func type(_ key: String) throws(AttributeDecodingError) -> HAPType {
        let string = try string(key)
        guard let type = HAPType(string) else {
            throw AttributeDecodingError(
                path: key,
                reason: "'\(string)' is not a type; use up to 8 hex digits or a UUID"
            )
        }
        return type
    }

    /// - Parameter fallback: The permissions to use if the object has none.
    func permissions(
        _ key: String,
        orElse fallback: CharacteristicPermissions? = nil
    ) throws(AttributeDecodingError) -> CharacteristicPermissions {
        if let fallback, members[key] ?? .null == .null { return fallback }
        let value = try required(key)
        guard case .array(let elements) = value else {
            throw AttributeDecodingError(path: key, reason: "expected an array, not \(value.kind)")
        }
        return CharacteristicPermissions(names: elements.compactMap(\.string))
    }

    /// Decodes an array of objects. An error names the element.
    func list<Element>(
        _ key: String,
        _ decode: (AttributeObject) throws(AttributeDecodingError) -> Element
    ) throws(AttributeDecodingError) -> [Element] {
        let (decoded, defect) = try elements(key, decode)
        if let defect { throw defect }
        return decoded
    }

    /// Decodes an array of objects and skips those that can't be read, so that one defect doesn't make the rest of an
    /// accessory unusable. If none can be read, the error names the first one.
    func readableList<Element>(
        _ key: String,
        _ decode: (AttributeObject) throws(AttributeDecodingError) -> Element
    ) throws(AttributeDecodingError) -> [Element] {
        let (decoded, defect) = try elements(key, decode)
        if decoded.isEmpty, let defect { throw defect }
        return decoded
    }

    /// Decodes the readable elements of an array of objects, and returns the first defect.
    private func elements<Element>(
        _ key: String,
        _ decode: (AttributeObject) throws(AttributeDecodingError) -> Element
    ) throws(AttributeDecodingError) -> ([Element], AttributeDecodingError?) {
        let value = try required(key)
        guard case .array(let elements) = value else {
            throw AttributeDecodingError(path: key, reason: "expected an array, not \(value.kind)")
        }
        var decoded: [Element] = []
        var defect: AttributeDecodingError?
        decoded.reserveCapacity(elements.count)
        for (position, element) in elements.enumerated() {
            do throws(AttributeDecodingError) {
                decoded.append(try decode(AttributeObject(element, from: sender)))
            } catch {
                defect = defect ?? error.within("\(key)[\(position)]")
            }
        }
        return (decoded, defect)
    }

    private func required(_ key: String) throws(AttributeDecodingError) -> JSONValue {
        guard let value = members[key] else { throw AttributeDecodingError(path: key, reason: "is missing") }
        return value
    }

    // MARK: Optional members

    func optionalString(_ key: String) -> String? {
        members[key]?.string
    }

    func optionalList(_ key: String) -> [JSONValue]? {
        members[key]?.array
    }

    func length(_ key: String) -> Int? {
        members[key]?.wholeInteger.flatMap { Int(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 }
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

    /// Returns the value converted to a format, or as received if it doesn't fit.
    func value(_ key: String, as format: CharacteristicFormat?) -> CharacteristicValue? {
        guard let value = value(key) else { return nil }
        return format.flatMap { value.converted(to: $0) } ?? value
    }

    /// Returns a status, or `nil` if it is missing or null. A status of the wrong kind throws, because it doesn't mean
    /// success. A status without its minus sign is accepted.
    func status(_ key: String) throws(AttributeDecodingError) -> HAPStatus? {
        guard let value = members[key], value != .null else { return nil }
        guard let number = value.wholeInteger.flatMap({ Int(exactly: $0) }) else {
            throw AttributeDecodingError(path: key, reason: "expected an integer, not \(value.kind)")
        }
        return HAPStatus(lenient: number)
    }
}

extension JSONValue {
    /// The range in which a double represents every whole number exactly.
    private static let exactDoubles = -0x1p53...0x1p53

    /// The integer, even if the accessory writes it with a zero fraction (`1.0`) or an exponent.
    var wholeInteger: Int64? {
        guard case .double(let value) = self else { return integer }
        return Self.exactDoubles.contains(value) ? Int64(exactly: value) : nil
    }

    /// The nonnegative integer, even if the accessory writes it with a zero fraction or an exponent.
    var wholeUnsignedInteger: UInt64? {
        guard case .double = self else { return unsignedInteger }
        return wholeInteger.flatMap { UInt64(exactly: $0) }
    }
}
