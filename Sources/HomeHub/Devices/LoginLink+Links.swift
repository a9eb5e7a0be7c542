import HAP
import HubAPI

extension LoginLink {
    /// Returns the links with a code to the addresses of the page.
    static func links(to addresses: [String], code: String) -> [LoginLink] {
        addresses.prefix(maximumCount).map { address in
            let url = "\(address)/#code=\(code)"
            return LoginLink(url: url, symbol: QRCode(ofText: url).map { Symbol(side: $0.side, path: $0.path) })
        }
    }
}
