/// What a key may do with a feed. The raw values are stored.
package struct ReaderRights: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Read the feed, its keys and its stream: `r`.
    package static let read = ReaderRights(rawValue: 1)
    /// Open pipes to the hub: `p`.
    package static let pipe = ReaderRights(rawValue: 2)
    /// Leave mail for the hub: `m`.
    package static let mail = ReaderRights(rawValue: 4)
    /// Read the house's vault: `v`.
    package static let vault = ReaderRights(rawValue: 8)

    private static let letters: [(Character, ReaderRights)] = [
        ("r", .read), ("p", .pipe), ("m", .mail), ("v", .vault),
    ]

    /// Reads rights as letters, each at most once.
    package init?(_ text: String) {
        var rights: ReaderRights = []
        for letter in text {
            guard let right = Self.letters.first(where: { $0.0 == letter })?.1, !rights.contains(right) else {
                return nil
            }
            rights.insert(right)
        }
        self = rights
    }

    /// The rights as letters.
    package var text: String { String(Self.letters.filter { contains($0.1) }.map(\.0)) }
}

extension ReaderRights: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let rights = ReaderRights(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Rights are letters of “rpmv”.")
        }
        self = rights
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
