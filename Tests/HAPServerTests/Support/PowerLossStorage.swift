import HAPServer
import Synchronization

/// A storage that simulates a power failure after a number of documents.
final class PowerLossStorage: AccessoryStorage {
    private let storage: MemoryStorage
    private let count = Mutex(Int.max)

    init(_ storage: MemoryStorage) {
        self.storage = storage
    }

    /// The number of documents that can still be written.
    var remaining: Int {
        get { count.withLock { $0 } }
        set { count.withLock { $0 = newValue } }
    }

    func read(_ document: StorageDocument) -> [UInt8]? {
        storage.read(document)
    }

    func write(_ bytes: [UInt8], to document: StorageDocument) throws(AccessoryServerError) {
        guard remaining > 0 else { throw AccessoryServerError(.storageUnwritable, reason: "The power is gone") }
        remaining -= 1
        storage.write(bytes, to: document)
    }

    func location(of document: StorageDocument) -> String {
        storage.location(of: document)
    }

    func release() {}
}
