package import HomeIdentity

/// The last entry of a feed as the relay claims it, without proof.
package struct RelayHead: Hashable, Sendable, Codable {
    /// The number of the entry; 0 if there is none.
    package var sequence: Int
    /// The digest of the entry; zeros if there is none.
    package var digest: EntryDigest

    /// Creates a claim.
    package init(sequence: Int, digest: EntryDigest) {
        self.sequence = sequence
        self.digest = digest
    }
}
