package import HomeModel

/// An entry that was read from the store.
package struct StoredEntry: Hashable, Sendable {
    /// The entry.
    package var entry: Entry
    /// The hash of its stored bytes.
    package var hash: EntryHash
}
