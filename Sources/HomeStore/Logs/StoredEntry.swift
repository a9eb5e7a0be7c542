package import HomeModel

/// An entry as it was read from the store.
package struct StoredEntry: Hashable, Sendable {
    /// The entry.
    package var entry: Entry
    /// The hash of its bytes as they are stored.
    package var hash: EntryHash
}
