import HAPServer
import Synchronization

/// A storage that can simulate a full disk.
final class FullDiskStorage: AccessoryStorage {
    private let storage: MemoryStorage
    private let full = Mutex(false)

    init(_ storage: MemoryStorage) {
        self.storage = storage
    }

    /// Whether every write fails.
    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    func read(_ document: StorageDocument) -> [UInt8]? {
        storage.read(document)
    }

    func write(_ bytes: [UInt8], to document: StorageDocument) throws(AccessoryServerError) {
        guard !isFull else { throw AccessoryServerError(.storageUnwritable, reason: "No space left on device") }
        storage.write(bytes, to: document)
    }

    func location(of document: StorageDocument) -> String {
        storage.location(of: document)
    }

    func release() {}
}
