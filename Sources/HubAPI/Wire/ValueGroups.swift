import Foundation
import HAPCatalog
import LocalRPC

/// The JSON of values: an array with one object per accessory, which has the accessory's values by instance ID.
///
///     [{"home":"…","accessory":"…","values":{"10":true,"11":50}}]
///
/// Values are most of a large home's data, so both ends process the bytes directly, without a coder.
enum ValueGroups {
    // MARK: Writing

    /// Returns the JSON of known values.
    ///
    /// - Throws: `EncodingError` if JSON can't represent a number.
    static func json(_ known: KnownValues) throws -> Data {
        var json = [JSONScanner.openBracket]
        try known.forEachAccessory { home, accessory, values in
            begin(home, accessory, &json)
            for (iid, value) in values.sorted(by: { $0.key < $1.key }) { try write(iid, value, &json) }
            end(&json)
        }
        return finished(json)
    }

    /// Returns the JSON of updates, in order.
    ///
    /// - Throws: `EncodingError` if JSON can't represent a number.
    static func json(_ updates: [ValueUpdate]) throws -> Data {
        var json = [JSONScanner.openBracket]
        var rest = updates[...]
        while let first = rest.first {
            begin(first.home, first.characteristic.accessory, &json)
            // An object can't have a key twice, so a second value of the same characteristic starts a new object.
            var written: Set<UInt64> = []
            while let update = rest.first, update.home == first.home,
                update.characteristic.accessory == first.characteristic.accessory,
                written.insert(update.characteristic.iid).inserted
            {
                try write(update.characteristic.iid, update.value, &json)
                rest.removeFirst()
            }
            end(&json)
        }
        return finished(json)
    }

    private static func begin(_ home: UUID, _ accessory: UUID, _ json: inout [UInt8]) {
        if json.count > 1 { json.append(JSONScanner.comma) }
        json += #"{"home":"#.utf8
        json.append(jsonID: home)
        json += #","accessory":"#.utf8
        json.append(jsonID: accessory)
        json += #","values":{"#.utf8
    }

    private static func end(_ json: inout [UInt8]) {
        json += "}}".utf8
    }

    private static func finished(_ json: [UInt8]) -> Data {
        Data(json + [JSONScanner.closeBracket])
    }

    private static func write(_ iid: UInt64, _ value: CharacteristicValue?, _ json: inout [UInt8]) throws {
        if json.last != JSONScanner.openBrace { json.append(JSONScanner.comma) }
        json.append(JSONScanner.quote)
        json += String(iid).utf8
        json.append(JSONScanner.quote)
        json.append(JSONScanner.colon)
        try json.append(jsonValue: value)
    }

    // MARK: Reading

    /// Reads known values.
    ///
    /// - Throws: `DecodingError` if `json` doesn't have the form that ``json(_:)-(KnownValues)`` returns.
    static func known(from json: Data) throws -> KnownValues {
        var known = KnownValues()
        try read(json) { home, accessory, values in
            var merged = KnownValues.AccessoryValues(minimumCapacity: values.count)
            for (iid, value) in values { merged[iid] = value }
            known.merge(merged, accessory: accessory, in: home)
        }
        return known
    }

    /// Reads updates, in order.
    ///
    /// - Throws: `DecodingError` if `json` doesn't have the form that ``json(_:)-([ValueUpdate])`` returns.
    static func updates(from json: Data) throws -> [ValueUpdate] {
        var updates: [ValueUpdate] = []
        try read(json) { home, accessory, values in
            for (iid, value) in values {
                let characteristic = CharacteristicReference(accessory: accessory, iid: iid)
                updates.append(ValueUpdate(home: home, characteristic: characteristic, value: value))
            }
        }
        return updates
    }

    private typealias Values = [(iid: UInt64, value: CharacteristicValue?)]

    private static func read(_ json: Data, _ group: (_ home: UUID, _ accessory: UUID, Values) -> Void) throws {
        try json.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes)
            guard scanner.consume(JSONScanner.openBracket) else { throw error("the values aren't an array") }
            if !scanner.consume(JSONScanner.closeBracket) {
                repeat { try readGroup(&scanner, bytes, group) } while scanner.consume(JSONScanner.comma)
                guard scanner.consume(JSONScanner.closeBracket) else { throw error("the array doesn't end") }
            }
            guard scanner.next() == nil else { throw error("data follows the array") }
        }
    }

    private static func readGroup(
        _ scanner: inout JSONScanner,
        _ bytes: UnsafeRawBufferPointer,
        _ group: (_ home: UUID, _ accessory: UUID, Values) -> Void
    ) throws {
        var (home, accessory): (UUID?, UUID?)
        var values: Values?
        guard scanner.consume(JSONScanner.openBrace) else { throw error("an accessory's values aren't an object") }
        repeat {
            guard let name = scanner.plainString(), scanner.consume(JSONScanner.colon) else {
                throw error("a member of an accessory's values has no name")
            }
            switch name {
            case "home": home = scanner.id(bytes)
            case "accessory": accessory = scanner.id(bytes)
            case "values": values = try readValues(&scanner, bytes)
            default: guard scanner.value() != nil else { throw error("\(name) has no value") }
            }
        } while scanner.consume(JSONScanner.comma)
        guard scanner.consume(JSONScanner.closeBrace), let home, let accessory, let values else {
            throw error("an accessory's values lack the home, the accessory or the values")
        }
        group(home, accessory, values)
    }

    private static func readValues(_ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer) throws -> Values {
        var values: Values = []
        guard scanner.consume(JSONScanner.openBrace) else { throw error("values aren't an object") }
        if scanner.consume(JSONScanner.closeBrace) { return values }
        repeat {
            guard let text = scanner.plainString(), let iid = UInt64(text), scanner.consume(JSONScanner.colon) else {
                throw error("a value has no instance ID")
            }
            values.append((iid, try readValue(&scanner, bytes)))
        } while scanner.consume(JSONScanner.comma)
        guard scanner.consume(JSONScanner.closeBrace) else { throw error("values don't end") }
        return values
    }

    /// Reads a value. Common types are read directly, all others with a decoder.
    private static func readValue(
        _ scanner: inout JSONScanner,
        _ bytes: UnsafeRawBufferPointer
    ) throws -> CharacteristicValue? {
        if let number = scanner.smallInteger() { return .integer(number) }
        if let text = scanner.plainString() { return .string(text) }
        if scanner.consume(word: "true") { return .bool(true) }
        if scanner.consume(word: "false") { return .bool(false) }
        if scanner.consume(word: "null") { return nil }
        guard let range = scanner.value() else { throw error("a value is missing") }
        return try JSONDecoder().decode(CharacteristicValue.self, from: Data(bytes[range]))
    }

    private static func error(_ what: String) -> DecodingError {
        DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: what))
    }
}
