package import WebServer

/// Where the hub listens on the network, once it has a device or an invitation.
package enum NetworkOption: Hashable, Sendable {
    /// Nowhere.
    case off
    /// On all interfaces, at the port of the last time, at first a free one.
    case automatic
    /// At an address.
    case at(HTTPAddress)

    private static let offWord = "off"

    /// Parses `off`, a port on 127.0.0.1, or `HOST:PORT`.
    ///
    /// - Returns: `nil` if the text is invalid.
    package init?(_ text: String) {
        if text == Self.offWord {
            self = .off
        } else if let address = HTTPAddress(text) {
            self = .at(address)
        } else {
            return nil
        }
    }
}
