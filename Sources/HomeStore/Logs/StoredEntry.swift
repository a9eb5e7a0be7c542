public import HomeModel

/// An entry as it was read from the store.
public struct StoredEntry: Hashable, Sendable {
    /// The entry.
    public var entry: Entry
    /// The hash of its bytes as they are stored.
    public var hash: EntryHash
}
