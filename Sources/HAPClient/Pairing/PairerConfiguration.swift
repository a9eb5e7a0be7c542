/// The timeouts of pairing. The defaults suit a home network; tests use shorter ones.
package struct PairerConfiguration: Sendable {
    /// The maximum time for connecting to one address.
    package var connectTimeout = Duration.seconds(5)
    /// The maximum time for one response. Small accessories need many seconds for SRP.
    package var responseTimeout = Duration.seconds(30)
    /// The connector that opens connections.
    package var connector = AccessoryConnector.tcp

    /// Creates a configuration with the defaults.
    package init() {}
}
