/// A link with which a device signs in, once.
package struct LoginLink: Hashable, Sendable, Codable {
    /// A QR code, ready to draw.
    package struct Symbol: Hashable, Sendable, Codable {
        /// The number of modules per side, without the light border of four modules that a reader needs.
        package var side: Int
        /// The dark modules as the data of a path in SVG, in which a module is one unit wide.
        package var path: String

        /// Creates a symbol.
        package init(side: Int, path: String) {
            self.side = side
            self.path = path
        }
    }

    /// The maximum number of links for one code.
    package static let maximumCount = 4

    /// The address of the page with the code after `#`. A browser doesn't send that part, so the code appears in no log.
    package var url: String
    /// The address as a QR code; `nil` if it is too long for one.
    package var symbol: Symbol?

    /// Creates a link.
    package init(url: String, symbol: Symbol?) {
        self.url = url
        self.symbol = symbol
    }
}
