/// Times of pairing. The defaults suit accessories in a house; tests shorten them.
public struct PairerConfiguration: Sendable {
    /// How long one address is tried before the next.
    public var connectTimeout = Duration.seconds(5)
    /// How long an accessory may take for one step. Small ones need many seconds for their share of SRP.
    public var responseTimeout = Duration.seconds(30)
    /// What makes the connections.
    public var connector = AccessoryConnector.tcp

    /// Makes a configuration with the defaults.
    public init() {}
}
