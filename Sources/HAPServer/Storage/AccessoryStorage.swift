/// Where an accessory server keeps what must outlive it: a few small documents, each replaced as a whole.
///
/// ``FolderStorage`` keeps them on disk, ``MemoryStorage`` in memory. All calls come from one server, some at the same
/// time for different documents.
public protocol AccessoryStorage: Sendable {
    /// The bytes of a document, `nil` if it was never written.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnreadable`.
    func read(_ document: StorageDocument) throws(AccessoryServerError) -> [UInt8]?

    /// Replaces a document. Once this returns the new bytes survive a power cut; if it throws, the old ones are there.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnwritable`.
    func write(_ bytes: [UInt8], to document: StorageDocument) throws(AccessoryServerError)

    /// Where a document lies, for messages to people.
    func location(of document: StorageDocument) -> String

    /// Lets another server use the storage. Nothing may be written afterwards.
    func release()
}
