import Foundation

/// The JSON of reachability updates, as the `Codable` conformance of ``ReachabilityUpdate`` defines it, without a coder.
///
/// When a hub restarts, each app receives every accessory twice. These lists are most of the data that it then decodes.
enum ReachabilityJSON {
    // MARK: Writing

    /// Returns the JSON array of `updates`, in order.
    ///
    /// - Throws: `EncodingError` if a string can't be encoded.
    static func json(_ updates: [ReachabilityUpdate]) throws -> Data {
        var json = [JSONScanner.openBracket]
        json.reserveCapacity(updates.count * 256)
        for update in updates {
            if json.count > 1 { json.append(JSONScanner.comma) }
            json += #"{"home":""#.utf8
            json += update.home.uuidString.utf8
            json += #"","accessory":""#.utf8
            json += update.accessory.uuidString.utf8
            json += #"","isReachable":"#.utf8
            json += (update.isReachable ? "true" : "false").utf8
            try write(update.cause, named: "cause", &json)
            try write(update.code?.rawValue, named: "code", &json)
            try write(update.trouble?.rawValue, named: "trouble", &json)
            json.append(JSONScanner.closeBrace)
        }
        json.append(JSONScanner.closeBracket)
        return Data(json)
    }

    private static func write(_ text: String?, named name: StaticString, _ json: inout [UInt8]) throws {
        guard let text else { return }
        json += ",\"\(name)\":".utf8
        try json.append(jsonText: text)
    }

    // MARK: Reading

    /// Reads updates, in order.
    ///
    /// - Throws: `DecodingError` if `json` isn't an array of updates.
    static func updates(from json: Data) throws -> [ReachabilityUpdate] {
        try json.withUnsafeBytes { bytes in
            var updates: [ReachabilityUpdate] = []
            var scanner = JSONScanner(bytes)
            guard scanner.consume(JSONScanner.openBracket) else { throw error("the updates aren't an array") }
            if !scanner.consume(JSONScanner.closeBracket) {
                repeat { updates.append(try readUpdate(&scanner, bytes)) } while scanner.consume(JSONScanner.comma)
                guard scanner.consume(JSONScanner.closeBracket) else { throw error("the array doesn't end") }
            }
            guard scanner.next() == nil else { throw error("data follows the array") }
            return updates
        }
    }

    private static func readUpdate(
        _ scanner: inout JSONScanner,
        _ bytes: UnsafeRawBufferPointer
    ) throws -> ReachabilityUpdate {
        var (home, accessory): (UUID?, UUID?)
        var isReachable: Bool?
        var (cause, code, trouble): (String?, String?, String?)
        guard scanner.consume(JSONScanner.openBrace) else { throw error("an update isn't an object") }
        repeat {
            guard let name = scanner.plainString(), scanner.consume(JSONScanner.colon) else {
                throw error("a member of an update has no name")
            }
            switch name {
            case "home": home = scanner.plainString().flatMap { UUID(uuidString: $0) }
            case "accessory": accessory = scanner.plainString().flatMap { UUID(uuidString: $0) }
            case "isReachable":
                isReachable = scanner.consume(word: "true") ? true : scanner.consume(word: "false") ? false : nil
            case "cause": cause = try readText(&scanner, bytes)
            case "code": code = try readText(&scanner, bytes)
            case "trouble": trouble = try readText(&scanner, bytes)
            default: guard scanner.value() != nil else { throw error("\(name) has no value") }
            }
        } while scanner.consume(JSONScanner.comma)
        guard scanner.consume(JSONScanner.closeBrace), let home, let accessory, let isReachable else {
            throw error("an update lacks its home, its accessory or whether it is reachable")
        }
        return ReachabilityUpdate(
            home: home,
            accessory: accessory,
            isReachable: isReachable,
            cause: cause,
            code: code.map(HubError.Code.init(rawValue:)),
            trouble: trouble.map(AccessoryTrouble.init(rawValue:))
        )
    }

    private static func readText(_ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer) throws -> String? {
        if let text = scanner.plainString() { return text }
        if scanner.consume(word: "null") { return nil }
        guard let range = scanner.string() else { throw error("a string is missing") }
        return try JSONDecoder().decode(String.self, from: Data(bytes[range]))
    }

    private static func error(_ reason: String) -> DecodingError {
        DecodingError.dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: reason))
    }
}
