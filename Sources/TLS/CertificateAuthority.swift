internal import COpenSSL
package import Foundation

/// A hub's own certificate authority, which people install on their devices so that these trust the hub.
///
/// Name constraints, which clients must obey, keep it from being used for anything but hosts of a private network: whoever
/// steals its key can't pose as a bank.
package struct CertificateAuthority: Sendable {
    /// How long the authority's certificate is valid.
    static let lifetime: TimeInterval = 20 * 365 * 86_400
    /// How long a host's certificate is valid. Clients reject certificates that are valid for more than 398 days, or, under
    /// an authority that users have added, for more than 825.
    static let leafLifetime: TimeInterval = 397 * 86_400
    /// How long before its end a host's certificate is renewed.
    package static let renewalTime: TimeInterval = 30 * 86_400
    /// Certificates begin this long before they are created, for clients whose clock is slow.
    private static let clockTolerance: TimeInterval = 86_400

    /// The authority's certificate and key.
    package let identity: TLSIdentity

    /// The authority's certificate.
    package var certificate: Certificate { identity.chain[0] }

    /// Uses a stored authority.
    package init(_ identity: TLSIdentity) {
        self.identity = identity
    }

    /// Creates an authority with a new key.
    ///
    /// - Parameters:
    ///   - hostName: The machine's name, without a domain. The authority is valid for it besides the names that all
    ///     authorities are valid for.
    ///   - date: The current time.
    package init(hostName: String, at date: Date = Date()) throws(TLSError) {
        let key = try PrivateKey()
        // Clients list authorities by their name, so those of two hubs should differ.
        let number = UInt16.random(in: .min ... .max)
        let draft = try CertificateDraft(
            commonName: "Hearth \(String(format: "%04X", number))",
            key: key,
            from: date - Self.clockTolerance,
            to: date + Self.lifetime
        )
        try draft.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        try draft.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try draft.add(NID_subject_key_identifier, "hash")
        let permitted = PrivateNames.domains + (PrivateNames.isHostName(hostName) ? [hostName.lowercased()] : [])
        let constraints = permitted.map { "permitted;DNS:\($0)" } + PrivateNames.networks.map { "permitted;IP:\($0)" }
        try draft.add(NID_name_constraints, "critical,\(constraints.joined(separator: ","))")
        identity = TLSIdentity(chain: [try draft.signed(by: key, of: nil)], key: key)
    }

    /// Returns those of a host's names and IP addresses that the authority is valid for.
    package func permitted(of names: [String], at date: Date = Date()) throws(TLSError) -> [String] {
        var permitted: [String] = []
        for name in names where !permitted.contains(name) && PrivateNames.isNameOrAddress(name) {
            // The authority may be of a time when the machine had another name.
            let attempt = try leaf(for: [name], identity.key, at: date)
            if attempt.isValid(under: certificate, at: date) { permitted.append(name) }
        }
        return permitted
    }

    /// Creates a certificate with a new key for a host.
    ///
    /// - Parameters:
    ///   - names: The host's names and IP addresses, all of which the authority is valid for.
    ///   - date: The current time.
    package func issue(for names: [String], at date: Date = Date()) throws(TLSError) -> TLSIdentity {
        let key = try PrivateKey()
        return TLSIdentity(chain: [try leaf(for: names, key, at: date), certificate], key: key)
    }

    private func leaf(for names: [String], _ key: PrivateKey, at date: Date) throws(TLSError) -> Certificate {
        let draft = try CertificateDraft(
            commonName: "Hearth Hub",
            key: key,
            from: date - Self.clockTolerance,
            to: min(date + Self.leafLifetime - Self.clockTolerance, certificate.expires)
        )
        try draft.add(NID_basic_constraints, "critical,CA:FALSE")
        try draft.add(NID_key_usage, "critical,digitalSignature")
        try draft.add(NID_ext_key_usage, "serverAuth")
        try draft.add(NID_subject_key_identifier, "hash")
        try draft.add(NID_authority_key_identifier, "keyid:always", issuer: certificate)
        let list = names.map { PrivateNames.isAddress($0) ? "IP:\($0)" : "DNS:\($0)" }.joined(separator: ",")
        try draft.add(NID_subject_alt_name, list)
        return try draft.signed(by: identity.key, of: certificate)
    }
}
