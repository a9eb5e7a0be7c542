package import HomeIdentity
import TLS

/// The identity of a device for its connections to one hub. Making it takes longer than a handshake, so keep it.
package struct LinkIdentity: Sendable {
    /// The device's public key.
    package let publicKey: PublicKey
    let context: TLSContext

    /// Creates the identity of a key.
    package init(_ key: IdentityKey) throws(LinkIdentityError) {
        publicKey = key.publicKey
        do {
            context = try TLSContext(pinned: TLSIdentity(ed25519Seed: key.seed))
        } catch {
            throw LinkIdentityError(description: error.description)
        }
    }
}

/// OpenSSL can't use a key.
package struct LinkIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed.
    package let description: String
}
