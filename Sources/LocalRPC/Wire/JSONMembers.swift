package import Foundation

/// The top-level members of a JSON object, not decoded yet.
///
/// A message's envelope is read this way so that its parameters are decoded once, into their own type. Decoding a member
/// shows whether it is well-formed.
package struct JSONMembers {
    private let bytes: Data
    private var members: [String: Range<Int>] = [:]

    /// Splits `bytes` into members; `nil` if they aren't an object, or name a member twice.
    package init?(_ bytes: Data) {
        self.bytes = bytes
        guard let members = bytes.withUnsafeBytes(Self.cut) else { return nil }
        self.members = members
    }

    /// The bytes of a member's value; `nil` if there is no such member.
    package subscript(name: String) -> Data? {
        members[name].map { bytes[(bytes.startIndex + $0.lowerBound)..<(bytes.startIndex + $0.upperBound)] }
    }

    private static func cut(_ bytes: UnsafeRawBufferPointer) -> [String: Range<Int>]? {
        var members: [String: Range<Int>] = [:]
        var scanner = JSONScanner(bytes)
        guard scanner.consume(JSONScanner.openBrace) else { return nil }
        if scanner.consume(JSONScanner.closeBrace) { return scanner.next() == nil ? members : nil }
        repeat {
            guard let name = name(&scanner, bytes), scanner.consume(JSONScanner.colon), let value = scanner.value(),
                members.updateValue(value, forKey: name) == nil
            else { return nil }
        } while scanner.consume(JSONScanner.comma)
        return scanner.consume(JSONScanner.closeBrace) && scanner.next() == nil ? members : nil
    }

    private static func name(_ scanner: inout JSONScanner, _ bytes: UnsafeRawBufferPointer) -> String? {
        if let name = scanner.plainString() { return name }
        guard let range = scanner.string() else { return nil }
        return try? JSONDecoder().decode(String.self, from: Data(bytes[range]))
    }
}
