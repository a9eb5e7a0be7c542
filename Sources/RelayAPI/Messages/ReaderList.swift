package import HomeIdentity

/// All keys that have rights to a feed. A list with a larger number replaces one with a smaller.
package struct ReaderList: Hashable, Sendable, Codable {
    /// A key and its rights.
    package struct Reader: Hashable, Sendable, Codable {
        /// The device's key for the relay.
        package var key: PublicKey
        /// What it may do.
        package var rights: ReaderRights

        /// Creates a reader.
        package init(_ key: PublicKey, _ rights: ReaderRights) {
            self.key = key
            self.rights = rights
        }
    }

    /// The number of the list.
    package var seq: Int64
    /// The readers.
    package var readers: [Reader]

    /// Creates a list.
    package init(seq: Int64, readers: [Reader]) {
        self.seq = seq
        self.readers = readers
    }

    /// Throws if a key is listed twice, the number is out of range, or the readers exceed a quota.
    package func check(_ quota: HouseQuota) throws(RelayError) {
        guard seq >= 1, seq < RelayLimits.maximumNumber else { throw .malformed("The list's “seq” is out of range.") }
        guard readers.count <= quota.readersPerFeed else {
            throw RelayError(.quotaExceeded, "A feed has at most \(quota.readersPerFeed) readers.")
        }
        guard Set(readers.map(\.key)).count == readers.count else { throw .malformed("A key is listed twice.") }
    }

    /// Decides about this list, where another is stored.
    ///
    /// - Returns: The keys that may no longer read; `nil` if this list is the stored one, sent again because the answer was
    ///   lost.
    /// - Throws: `outdated` if this list doesn't replace the stored one.
    package func replacing(
        _ stored: Int64,
        _ current: [PublicKey: ReaderRights]
    ) throws(RelayStoreError) -> [PublicKey]? {
        let new = Dictionary(readers.map { ($0.key, $0.rights) }, uniquingKeysWith: { first, _ in first })
        guard seq > stored else {
            if seq == stored, new == current { return nil }
            throw .outdated(stored: stored)
        }
        return current.filter { $0.value.contains(.read) && new[$0.key]?.contains(.read) != true }.map(\.key)
    }
}
