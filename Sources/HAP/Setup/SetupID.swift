/// A setup ID: four characters from 0-9 and A-Z that link a scanned code to an accessory on the network, through the
/// setup hash.
public struct SetupID: Hashable, Sendable {
    private let text: String

    private static let length = 4
    /// The digits of base 36.
    static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

    /// Parses a setup ID. Returns `nil` unless it is four characters from 0-9 and A-Z.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.length, text.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.text = String(text)
    }

    /// Generates a setup ID.
    public static func random(using generator: inout some RandomNumberGenerator) -> SetupID {
        let characters = (0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
        return SetupID(unchecked: String(decoding: characters, as: UTF8.self))
    }

    /// Generates a setup ID with the system's generator.
    public static func random() -> SetupID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    private init(unchecked text: String) {
        self.text = text
    }
}

extension SetupID: LosslessStringConvertible {
    /// Parses a setup ID. Returns `nil` unless it is four characters from 0-9 and A-Z.
    public init?(_ description: String) {
        self.init(description[...])
    }

    /// The four characters.
    public var description: String { text }
}
