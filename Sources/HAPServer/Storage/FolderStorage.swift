#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import Synchronization

/// An ``AccessoryStorage`` that stores files in a folder, which belongs to one server at a time.
///
/// The folder has mode 0700 and the files 0600. To replace a document, a new file is written, synchronized and renamed
/// over the old one, so that a power cut leaves either the old or the new one. It is a class because it holds the lock
/// on the folder. Until ``release()`` or its deinitialization, no other storage can use the folder.
public final class FolderStorage: AccessoryStorage {
    /// The folder's path.
    public let path: String
    private let lock: Mutex<Int32?>

    private static let folderMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600
    private static let lockName = "lock"
    private static let readSize = 65_536

    /// Creates a storage. If the folder doesn't exist, it is created; its parent must exist. The folder is locked.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageLocked` if another server in this or another process
    ///   uses the folder, or `storageUnwritable` if the folder can't be created or used.
    public init(folder path: String) throws(AccessoryServerError) {
        self.path = path
        guard mkdir(path, Self.folderMode) == 0 || errno == EEXIST else {
            throw Self.failure(.storageUnwritable, "create the folder", path)
        }
        // Also set the mode of an existing folder, because it contains keys.
        guard chmod(path, Self.folderMode) == 0 else {
            throw Self.failure(.storageUnwritable, "set the permissions of the folder", path)
        }
        let lockPath = path + "/" + Self.lockName
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, Self.fileMode)
        guard descriptor >= 0 else { throw Self.failure(.storageUnwritable, "open", lockPath) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isLocked = errno == EWOULDBLOCK
            let failure = Self.failure(.storageUnwritable, "lock", lockPath)
            _ = close(descriptor)
            guard isLocked else { throw failure }
            throw AccessoryServerError(
                .storageLocked,
                reason: "Another accessory server uses the folder \(path); stop it or choose another folder"
            )
        }
        lock = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Releases the folder for use by another storage.
    public func release() {
        let descriptor = lock.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        guard let descriptor else { return }
        // Closing alone isn't enough: a child process that is just starting may still have the descriptor and thereby
        // the lock.
        _ = flock(descriptor, LOCK_UN)
        _ = close(descriptor)
    }

    /// The path of the document's file.
    public func location(of document: StorageDocument) -> String {
        "\(path)/\(document.rawValue).json"
    }

    /// Returns the bytes of the document's file, or `nil` if there is none.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnreadable`.
    public func read(_ document: StorageDocument) throws(AccessoryServerError) -> [UInt8]? {
        let file = location(of: document)
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure(.storageUnreadable, "open", file)
        }
        defer { _ = close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: Self.readSize)
        while true {
            let count = chunk.withUnsafeMutableBytes { Self.read(descriptor, $0) }
            guard count >= 0 else { throw Self.failure(.storageUnreadable, "read", file) }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk.prefix(count))
        }
    }

    /// Replaces the document's file.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnwritable`.
    public func write(_ bytes: [UInt8], to document: StorageDocument) throws(AccessoryServerError) {
        let file = location(of: document)
        let temporary = file + ".new"
        guard lock.withLock({ $0 != nil }) else {
            throw AccessoryServerError(
                .storageUnwritable,
                reason: "Can't write \(file), because the storage was released"
            )
        }
        do {
            try Self.create(temporary, bytes)
        } catch {
            _ = unlink(temporary)
            throw error
        }
        guard rename(temporary, file) == 0 else {
            let failure = Self.failure(.storageUnwritable, "replace", file)
            _ = unlink(temporary)
            throw failure
        }
        try Self.synchronizeFolder(path)
    }

    private static func create(_ file: String, _ bytes: [UInt8]) throws(AccessoryServerError) {
        // A file with this name is an incomplete one left by a crash.
        _ = unlink(file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, fileMode)
        guard descriptor >= 0 else { throw failure(.storageUnwritable, "create", file) }
        defer { _ = close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0) }
            guard count > 0 else { throw failure(.storageUnwritable, "write", file) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw failure(.storageUnwritable, "synchronize", file) }
    }

    private static func synchronizeFolder(_ path: String) throws(AccessoryServerError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(.storageUnwritable, "open the folder", path) }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(.storageUnwritable, "synchronize the folder", path) }
    }

    private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
        repeatingWhileInterrupted {
            #if canImport(Glibc)
            Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            #else
            Darwin.read(descriptor, buffer.baseAddress, buffer.count)
            #endif
        }
    }

    private static func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        repeatingWhileInterrupted {
            #if canImport(Glibc)
            Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            #else
            Darwin.write(descriptor, buffer.baseAddress, buffer.count)
            #endif
        }
    }

    private static func repeatingWhileInterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Returns the error for a system call that just failed. Call it before anything else sets `errno`.
    private static func failure(_ code: AccessoryServerError.Code, _ verb: String, _ path: String)
        -> AccessoryServerError
    {
        let cause = String(cString: strerror(errno))
        return AccessoryServerError(code, reason: "Can't \(verb) \(path): \(cause)")
    }
}
