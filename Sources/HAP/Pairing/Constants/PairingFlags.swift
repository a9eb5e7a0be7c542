/// What a controller asks of pair-setup besides the exchange itself: the value of ``TLVType/flags``.
public struct PairingFlags: OptionSet, Hashable, Sendable {
    /// The bits on the wire; unknown ones are kept.
    public let rawValue: UInt32

    /// Creates flags from their bits on the wire.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// A session from the setup code alone: ends after M4 and exchanges no long-term keys.
    public static let transient = PairingFlags(rawValue: 1 << 4)
    /// Pair-setup in two parts that share one salt and verifier: first with ``transient``, then alone.
    public static let split = PairingFlags(rawValue: 1 << 24)
}
