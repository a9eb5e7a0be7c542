internal import HAP

/// A PIN of four digits. Printing it doesn't reveal the digits.
package struct PairingPIN: Hashable, Sendable, Redacted {
    private static let length = 4

    /// The digits.
    package let digits: String

    /// Creates a PIN. Returns `nil` unless the text is four digits.
    package init?(_ text: String) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= $0 })
        else { return nil }
        digits = text
    }

    /// Creates a random PIN. The generator must be cryptographically secure.
    package static func random(using generator: inout some RandomNumberGenerator) -> PairingPIN {
        PairingPIN(unchecked: (0..<length).map { _ in "\(Int.random(in: 0...9, using: &generator))" }.joined())
    }

    private init(unchecked digits: String) {
        self.digits = digits
    }
}
