import Foundation
import RelayAPI

/// Where a relay is.
struct RelayLocation: Hashable, Sendable {
    let host: String
    let port: Int
    let isEncrypted: Bool
    /// The host and port as in requests and proofs.
    let authority: String
    /// By what to recognize the relay, one of them; `nil` if an authority must have signed its certificate.
    let pins: Set<RelayPin>?

    /// Reads a URL. It has no path, and is `https` unless the relay is on this machine.
    init(_ text: String) throws(RelayClientError) {
        guard let url = URL(string: text), let host = url.host(percentEncoded: false), !host.isEmpty,
            url.path.isEmpty || url.path == "/", url.query == nil, url.user == nil
        else { throw .invalidURL("A relay's address is a URL such as https://relay.example.org.") }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        switch url.scheme?.lowercased() {
        case "https": isEncrypted = true
        case "http":
            guard name == "localhost" || name.hasPrefix("127.") || name == "::1" else {
                throw .invalidURL("A relay beyond this machine needs https://.")
            }
            isEncrypted = false
        default: throw .invalidURL("A relay's address begins with https://.")
        }
        pins = url.fragment(percentEncoded: true).flatMap(RelayPin.pins(fragment:))
        guard url.fragment == nil || pins != nil else {
            throw .invalidURL(
                "What follows # in a relay's address is pin= and 22 characters, as “hearth relay” prints it, and for its next key "
                    + "the same again after &."
            )
        }
        guard pins == nil || isEncrypted else {
            throw .invalidURL("A relay without encryption can't be recognized by a pin: leave out #.")
        }
        self.host = name
        port = url.port ?? (isEncrypted ? 443 : 80)
        let bracketed = name.contains(":") ? "[\(name)]" : name
        authority = SessionProof.signedHost(url.port.map { "\(bracketed):\($0)" } ?? bracketed)
    }

    /// Returns whether another location is the same host and port, however it is recognized.
    func isAt(_ other: RelayLocation) -> Bool {
        host == other.host && port == other.port && isEncrypted == other.isEncrypted
    }
}
