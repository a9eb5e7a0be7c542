/// The options of pair-setup: the value of ``TLVType/flags``.
public struct PairingFlags: OptionSet, Hashable, Sendable {
    /// The bits on the wire. Unknown bits are preserved.
    public let rawValue: UInt32

    /// Creates flags from their bits on the wire.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A session based on the setup code alone. The exchange ends after M4, without long-term keys.
    public static let transient = PairingFlags(rawValue: 1 << 4)
    /// Pair-setup in two parts that share a salt and verifier: the first also has ``transient``, the second doesn't.
    public static let split = PairingFlags(rawValue: 1 << 24)
}
