/// The key of one direction of one secure session, 32 bytes. Printing it doesn't reveal the secret.
public struct FrameKey: Hashable, Sendable, Redacted {
    /// The secret bytes.
    package let bytes: [UInt8]

    /// The length of a key in bytes.
    public static let length = 32

    /// Creates a key. Returns `nil` unless there are 32 bytes.
    public init?(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Derives a key from a shared secret.
    public init(_ derivation: KeyDerivation, from secret: [UInt8]) {
        bytes = derivation.derive(from: secret, count: Self.length)
    }

    private init(derived bytes: [UInt8]) { self.bytes = bytes }

    /// Derives the keys of both directions of a session.
    static func pair(
        _ first: KeyDerivation,
        _ second: KeyDerivation,
        from secret: [UInt8]
    ) -> (FrameKey, FrameKey) {
        let keys = KeyDerivation.keys(of: first, second, from: secret)
        return (FrameKey(derived: keys.first), FrameKey(derived: keys.second))
    }
}
