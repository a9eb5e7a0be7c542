/// A record of the other side of a pairing, in protocols where either side may have any pairing identifier.
package struct PairedPeer: Hashable, Sendable, Codable {
    /// The peer's pairing identifier.
    package let id: PairingID
    /// The peer's long-term public key.
    package let publicKey: LongTermPublicKey

    /// Creates a record.
    package init(id: PairingID, publicKey: LongTermPublicKey) {
        self.id = id
        self.publicKey = publicKey
    }
}
