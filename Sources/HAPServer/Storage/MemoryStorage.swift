internal import Synchronization

/// An ``AccessoryStorage`` that is gone with the process. A server that is started again on the same value finds what
/// the former one left. It is a class because the documents change under those who share them.
public final class MemoryStorage: AccessoryStorage {
    private let documents: Mutex<[StorageDocument: [UInt8]]>

    /// Creates a storage that holds these documents, by default none.
    public init(_ documents: [StorageDocument: [UInt8]] = [:]) {
        self.documents = Mutex(documents)
    }

    /// The bytes of a document, `nil` if it was never written.
    public func read(_ document: StorageDocument) -> [UInt8]? {
        documents.withLock { $0[document] }
    }

    /// Replaces a document.
    public func write(_ bytes: [UInt8], to document: StorageDocument) {
        documents.withLock { $0[document] = bytes }
    }

    /// The document's name.
    public func location(of document: StorageDocument) -> String {
        "\(document.rawValue) in memory"
    }

    /// Does nothing: the storage does not keep servers apart.
    public func release() {}
}
