package import Foundation
import HAPCatalog
import LocalRPC

extension WriteCharacteristics: PlainJSON {
    /// Reads writes of values without authorization data.
    package init?(plainJSON json: Data) {
        let read = json.withUnsafeBytes { bytes -> WriteCharacteristics? in
            var scanner = JSONScanner(bytes)
            var (home, writes): (UUID?, [Write]?)
            let isWhole = scanner.members(bytes) { name, scanner in
                switch name {
                case "home" where home == nil: home = scanner.id(bytes)
                case "writes" where writes == nil: writes = Self.writes(&scanner, bytes)
                default: return false
                }
                return true
            }
            guard isWhole, scanner.next() == nil, let home, let writes else { return nil }
            return WriteCharacteristics(home: home, writes: writes)
        }
        guard let read else { return nil }
        self = read
    }

    private static func writes(_ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer) -> [Write]? {
        var writes: [Write] = []
        guard scanner.consume(JSONScanner.openBracket) else { return nil }
        if scanner.consume(JSONScanner.closeBracket) { return writes }
        repeat {
            var (characteristic, value): (CharacteristicReference?, CharacteristicValue?)
            let isWhole = scanner.members(bytes) { name, scanner in
                switch name {
                case "characteristic" where characteristic == nil:
                    characteristic = CharacteristicReference(&scanner, bytes)
                case "value" where value == nil: value = scanner.plainValue()
                default: return false
                }
                return true
            }
            guard isWhole, let characteristic, let value else { return nil }
            writes.append(Write(characteristic: characteristic, value: value))
        } while scanner.consume(JSONScanner.comma)
        return scanner.consume(JSONScanner.closeBracket) ? writes : nil
    }

    /// Returns the JSON of writes of values without authorization data.
    package func plainJSON() -> Data? {
        var json: [UInt8] = []
        json += #"{"home":"#.utf8
        json.append(jsonID: home)
        json += #","writes":["#.utf8
        for (index, write) in writes.enumerated() {
            guard case .value(let value) = write.content, write.authorizationData == nil else { return nil }
            if index > 0 { json.append(JSONScanner.comma) }
            json += #"{"characteristic":"#.utf8
            json.append(write.characteristic)
            json += #","value":"#.utf8
            guard json.append(plainValue: value) else { return nil }
            json += "}".utf8
        }
        json += "]}".utf8
        return Data(json)
    }
}

extension CharacteristicResults: PlainJSON {
    /// Reads the outcomes of operations that succeeded.
    package init?(plainJSON json: Data) {
        let outcomes = json.withUnsafeBytes { bytes -> [Outcome]? in
            var scanner = JSONScanner(bytes)
            var outcomes: [Outcome]?
            let isWhole = scanner.members(bytes) { name, scanner in
                guard name == "outcomes", outcomes == nil else { return false }
                outcomes = Self.outcomes(&scanner, bytes)
                return true
            }
            return isWhole && scanner.next() == nil ? outcomes : nil
        }
        guard let outcomes else { return nil }
        self.init(outcomes: outcomes)
    }

    private static func outcomes(_ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer) -> [Outcome]? {
        var outcomes: [Outcome] = []
        guard scanner.consume(JSONScanner.openBracket) else { return nil }
        if scanner.consume(JSONScanner.closeBracket) { return outcomes }
        repeat {
            var (characteristic, value): (CharacteristicReference?, CharacteristicValue?)
            let isWhole = scanner.members(bytes) { name, scanner in
                switch name {
                case "characteristic" where characteristic == nil:
                    characteristic = CharacteristicReference(&scanner, bytes)
                case "value" where value == nil:
                    value = scanner.plainValue()
                    return value != nil
                default: return false
                }
                return true
            }
            guard isWhole, let characteristic else { return nil }
            outcomes.append(Outcome(characteristic: characteristic, value: value))
        } while scanner.consume(JSONScanner.comma)
        return scanner.consume(JSONScanner.closeBracket) ? outcomes : nil
    }

    /// Returns the JSON of the outcomes of operations that succeeded.
    package func plainJSON() -> Data? {
        var json: [UInt8] = []
        json += #"{"outcomes":["#.utf8
        for (index, outcome) in outcomes.enumerated() {
            guard outcome.error == nil else { return nil }
            if index > 0 { json.append(JSONScanner.comma) }
            json += #"{"characteristic":"#.utf8
            json.append(outcome.characteristic)
            if let value = outcome.value {
                json += #","value":"#.utf8
                guard json.append(plainValue: value) else { return nil }
            }
            json += "}".utf8
        }
        json += "]}".utf8
        return Data(json)
    }
}

extension CharacteristicReference {
    /// Reads a reference; `nil` if it isn't in the usual form.
    fileprivate init?(_ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer) {
        var (accessory, iid): (UUID?, UInt64?)
        let isWhole = scanner.members(bytes) { name, scanner in
            switch name {
            case "accessory" where accessory == nil: accessory = scanner.id(bytes)
            case "iid" where iid == nil: iid = scanner.smallInteger().flatMap { UInt64(exactly: $0) }
            default: return false
            }
            return true
        }
        guard isWhole, let accessory, let iid else { return nil }
        self.init(accessory: accessory, iid: iid)
    }
}

extension JSONScanner {
    /// Skips an object and passes its members' names to a closure, which skips their values.
    ///
    /// - Returns: Whether there is an object with members, and the closure accepted all of them.
    fileprivate mutating func members(
        _ bytes: UnsafeRawBufferPointer,
        _ member: (_ name: String, inout JSONScanner) -> Bool
    ) -> Bool {
        guard consume(Self.openBrace) else { return false }
        repeat {
            guard let name = plainString(), consume(Self.colon), member(name, &self) else { return false }
        } while consume(Self.comma)
        return consume(Self.closeBrace)
    }

    /// Skips a short integer, a string without escapes or a Boolean and returns it; returns `nil` for any other value.
    fileprivate mutating func plainValue() -> CharacteristicValue? {
        if let number = smallInteger() { return .integer(number) }
        if let text = plainString() { return .string(text) }
        if consume(word: "true") { return .bool(true) }
        return consume(word: "false") ? .bool(false) : nil
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ reference: CharacteristicReference) {
        self += #"{"accessory":"#.utf8
        append(jsonID: reference.accessory)
        self += #","iid":\#(reference.iid)}"#.utf8
    }

    /// Appends a value, and returns whether it has a form that ``JSONScanner/plainValue()`` reads.
    fileprivate mutating func append(plainValue value: CharacteristicValue) -> Bool {
        switch value {
        case .bool, .integer, .string: (try? append(jsonValue: value)) != nil
        default: false
        }
    }
}
