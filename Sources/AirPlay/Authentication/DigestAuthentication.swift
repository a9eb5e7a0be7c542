internal import Crypto
internal import HAP

/// The proof of a password by MD5, as HTTP's old digest authentication does it (RFC 2069).
package struct DigestChallenge: Hashable, Sendable {
    /// The realm that receivers use.
    package static let realm = "raop"
    private static let nonceLength = 16

    /// The receiver's realm.
    package let realm: String
    /// The receiver's random text.
    package let nonce: String

    /// Creates a challenge with a random text.
    package init(using random: inout some RandomNumberGenerator) {
        realm = Self.realm
        nonce = (0..<Self.nonceLength).map { _ in UInt8.random(in: 0...255, using: &random) }.hexadecimal
    }

    /// Reads a `WWW-Authenticate` header. Returns `nil` if it isn't a digest challenge.
    package init?(_ header: String) {
        guard let fields = DigestFields(header), let realm = fields["realm"], let nonce = fields["nonce"] else {
            return nil
        }
        self.realm = realm
        self.nonce = nonce
    }

    /// The `WWW-Authenticate` header.
    package var header: String { "Digest realm=\"\(realm)\", nonce=\"\(nonce)\"" }

    /// Returns the `Authorization` header for a request.
    package func authorization(user: String, password: String, method: RTSPMethod, uri: String) -> String {
        let response = response(user: user, password: password, method: method, uri: uri)
        return "Digest username=\"\(user)\", realm=\"\(realm)\", nonce=\"\(nonce)\", uri=\"\(uri)\", "
            + "response=\"\(response)\""
    }

    /// Returns whether an `Authorization` header proves the password for a request.
    package func accepts(_ header: String, password: String, method: RTSPMethod) -> Bool {
        guard let fields = DigestFields(header), fields["nonce"] == nonce, fields["realm"] == realm,
            let user = fields["username"], let uri = fields["uri"], let response = fields["response"]
        else { return false }
        let expected = self.response(user: user, password: password, method: method, uri: uri)
        return ConstantTime.equal(Array(response.lowercased().utf8), Array(expected.utf8))
    }

    private func response(user: String, password: String, method: RTSPMethod, uri: String) -> String {
        func digest(_ text: String) -> String { Insecure.MD5.hash(data: Array(text.utf8)).hexadecimal }
        return digest("\(digest("\(user):\(realm):\(password)")):\(nonce):\(digest("\(method.rawValue):\(uri)"))")
    }
}

/// The fields of a digest header: `Digest name="value", …`.
private struct DigestFields {
    private var values: [String: String] = [:]

    init?(_ header: String) {
        guard header.prefix(7).lowercased() == "digest " else { return nil }
        var rest = header.dropFirst(7)
        while let equals = rest.firstIndex(of: "=") {
            let name = rest[..<equals].drop { $0 == " " || $0 == "," }.lowercased()
            rest = rest[rest.index(after: equals)...]
            if rest.first == "\"" {
                guard let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
                values[name] = String(rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
            } else {
                let value = rest.prefix { $0 != "," }
                values[name] = String(value)
                rest = rest[value.endIndex...]
            }
        }
    }

    subscript(name: String) -> String? { values[name] }
}
