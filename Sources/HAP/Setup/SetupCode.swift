/// The eight-digit setup code of an accessory. Printing it doesn't reveal the digits.
public struct SetupCode: Hashable, Sendable, Redacted {
    /// The code as a number, as in a ``SetupPayload``.
    public let number: UInt32

    private static let digits = 8
    private static let dashOffsets: Set<Int> = [3, 6]
    private static let numbers: Range<UInt32> = 0..<100_000_000
    /// A code with all digits equal is a multiple of this.
    private static let repeatedDigit: UInt32 = 11_111_111
    private static let ascending: UInt32 = 12_345_678
    private static let descending: UInt32 = 87_654_321

    /// Parses a code in the form `ddd-dd-ddd`, or eight digits without dashes.
    public init(_ text: some StringProtocol) throws(SetupCodeError) {
        let characters = Array(text.utf8)
        let hasDashes = characters.count == Self.digits + Self.dashOffsets.count
        guard hasDashes || characters.count == Self.digits else { throw .wrongForm }
        var number: UInt32 = 0
        for (offset, character) in characters.enumerated() {
            if hasDashes && Self.dashOffsets.contains(offset) {
                guard character == UInt8(ascii: "-") else { throw .wrongForm }
            } else {
                guard ASCII.isDigit(character) else { throw .wrongForm }
                number = number * 10 + UInt32(character - UInt8(ascii: "0"))
            }
        }
        try self.init(number: number)
    }

    /// Creates a code from a number.
    public init(number: UInt32) throws(SetupCodeError) {
        guard Self.numbers.contains(number) else { throw .wrongForm }
        guard !Self.isForbidden(number) else { throw .forbidden }
        self.number = number
    }

    private init(unchecked number: UInt32) {
        self.number = number
    }

    /// Generates a code. All allowed codes have the same probability. The generator must be cryptographically secure.
    public static func random(using generator: inout some RandomNumberGenerator) -> SetupCode {
        while true {
            let number = UInt32.random(in: numbers, using: &generator)
            if !isForbidden(number) { return SetupCode(unchecked: number) }
        }
    }

    /// Generates a code with the system's generator.
    public static func random() -> SetupCode {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// The code as `ddd-dd-ddd`, which is printed on the accessory and used as the SRP password. Never log it.
    public var dashed: String {
        let number = String(number)
        var characters = Array(String(repeating: "0", count: Self.digits - number.count) + number)
        for offset in Self.dashOffsets.sorted() {
            characters.insert("-", at: offset)
        }
        return String(characters)
    }

    private static func isForbidden(_ number: UInt32) -> Bool {
        number.isMultiple(of: repeatedDigit) || number == ascending || number == descending
    }
}
