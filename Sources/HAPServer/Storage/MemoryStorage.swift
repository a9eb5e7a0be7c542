internal import Synchronization

/// An ``AccessoryStorage`` in memory. A server that is started again with the same storage finds the documents of the
/// previous one. It is a class because servers share its documents.
public final class MemoryStorage: AccessoryStorage {
    private let documents: Mutex<[StorageDocument: [UInt8]]>

    /// Creates a storage with the given documents.
    public init(_ documents: [StorageDocument: [UInt8]] = [:]) {
        self.documents = Mutex(documents)
    }

    /// Returns the bytes of a document, or `nil` if it was never written.
    public func read(_ document: StorageDocument) -> [UInt8]? {
        documents.withLock { $0[document] }
    }

    /// Replaces a document.
    public func write(_ bytes: [UInt8], to document: StorageDocument) {
        documents.withLock { $0[document] = bytes }
    }

    /// Returns the document's name.
    public func location(of document: StorageDocument) -> String {
        "\(document.rawValue) in memory"
    }

    /// Does nothing, because the storage isn't locked.
    public func release() {}
}
