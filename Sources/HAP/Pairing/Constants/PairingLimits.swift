/// Numbers that bound pairing (HAP specification, pair-setup, pair-verify and pairings).
public enum PairingLimits {
    /// After so many wrong setup codes an accessory answers pair-setup with MaxTries until its factory reset.
    public static let failedTries = 100
    /// How many pairings an accessory stores at least; ``PairingList`` stores so many unless told otherwise.
    public static let pairings = 16
    /// A pair-setup that has not moved for so long gives way when another connection asks.
    public static let stalledAfter = Duration.seconds(30)
    /// The longest pairing identifier of a controller, in UTF-8 bytes.
    public static let identifierLength = 36
    /// The length of the SRP salt in bytes.
    public static let saltLength = 16
    /// The length of an SRP private value in bytes.
    static let privateValueLength = 32
}
