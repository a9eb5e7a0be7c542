/// The paths of the HTTP requests that configure an accessory. All of them are POST requests.
package enum SetupPath {
    /// Exchanges keys.
    package static let exchange = "/auth-setup"
    /// Sends the configuration, encrypted.
    package static let configure = "/config"
    /// Confirms that the accessory was found in the network that it joined.
    package static let configured = "/configured"
    /// The media type of all bodies.
    package static let contentType = "application/octet-stream"
}
