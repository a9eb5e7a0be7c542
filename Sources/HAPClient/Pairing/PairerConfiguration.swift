/// Times of pairing. The defaults suit accessories in a house; tests shorten them.
package struct PairerConfiguration: Sendable {
    /// How long one address is tried before the next.
    package var connectTimeout = Duration.seconds(5)
    /// How long an accessory may take for one step. Small ones need many seconds for their share of SRP.
    package var responseTimeout = Duration.seconds(30)
    /// What makes the connections.
    package var connector = AccessoryConnector.tcp

    /// Creates a configuration with the defaults.
    package init() {}
}
