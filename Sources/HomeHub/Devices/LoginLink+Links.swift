import HAP
import HubAPI

extension LoginLink {
    /// Creates a link with its QR code, if it isn't too long for one.
    init(text: String) {
        self.init(url: text, symbol: QRCode(ofText: text).map { Symbol(side: $0.side, path: $0.path) })
    }

    /// Returns the links with a code to the addresses of the page.
    static func links(to addresses: [String], code: String) -> [LoginLink] {
        addresses.prefix(maximumCount).map { address in
            LoginLink(text: "\(address)/#code=\(code)")
        }
    }
}
