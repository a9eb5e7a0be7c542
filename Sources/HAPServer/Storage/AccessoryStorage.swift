/// The persistent storage of an accessory server: a few small documents, each of which is replaced as a whole.
///
/// ``FolderStorage`` stores them on disk, ``MemoryStorage`` in memory. One server makes all calls. Calls for different
/// documents may be concurrent.
public protocol AccessoryStorage: Sendable {
    /// Returns the bytes of a document, or `nil` if it was never written.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnreadable`.
    func read(_ document: StorageDocument) throws(AccessoryServerError) -> [UInt8]?

    /// Replaces a document. Once this returns, the new bytes survive a power cut. If it throws, the old ones remain.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnwritable`.
    func write(_ bytes: [UInt8], to document: StorageDocument) throws(AccessoryServerError)

    /// Returns the location of a document, for messages.
    func location(of document: StorageDocument) -> String

    /// Releases the storage for use by another server. Don't write to it afterwards.
    func release()
}
