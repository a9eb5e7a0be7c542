import Foundation
import Glibc
import HubAPI
import NIOCore
import NIOPosix

/// The path of a hub's socket and the folder around it, which is what keeps other users out.
struct SocketLocation {
    /// The socket's path.
    let path: String
    private let access: SocketAccess
    private let folder: String

    /// Names a place; nothing is touched yet.
    init(path: String, access: SocketAccess = .owner) {
        self.path = path
        self.access = access
        let parent = (path as NSString).deletingLastPathComponent
        folder = parent.isEmpty ? "." : parent
    }

    /// Makes the folder where it is missing, for its owner only or for those who may connect to look through, and makes
    /// sure that only its owner can change what is in it.
    func prepareFolder() throws(HubError) {
        guard !access.isShared else {
            return try TrustedFolderPath(mode: access.folderMode, refusal: refusal).prepare(folder)
        }
        try Self.makeFolder(folder, access.folderMode)
        var status = stat()
        guard stat(folder, &status) == 0 else { throw refusal("\(folder) cannot be looked at: \(Self.lastError).") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw refusal("\(folder) is no folder.") }
        guard status.st_uid == geteuid() || status.st_uid == SocketPeer.rootUserID else {
            throw refusal("\(folder) belongs to another user (uid \(status.st_uid)).")
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw refusal("other users can write in \(folder). Take a folder of your own (chmod 700).")
        }
    }

    /// Keeps other hubs that start at the same path at the same moment away until the lock is released. Waits its turn.
    func lock() async throws(HubError) -> SocketLock {
        let file = path + ".lock"
        for _ in 0..<SocketLimits.lockTries {
            switch SocketLock.take(file) {
            case .taken(let lock): return lock
            case .busy: try? await Task.sleep(for: SocketLimits.lockPause)
            case .failed(let code): throw refusal("\(file), its lock, cannot be made: \(Self.text(of: code)).")
            case .foreign: throw refusal("\(file) is no lock of this user. Remove it, or take another path.")
            }
        }
        throw HubError(.alreadyRunning, "Another hub is about to start at \(path).")
    }

    /// Removes the socket of a hub that is dead.
    ///
    /// - Throws: `alreadyRunning` when the hub lives.
    func removeStaleSocket() async throws(HubError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw refusal("there is something that is no socket. Remove it, or take another path.")
        }
        switch await connectionError() {
        case ECONNREFUSED:
            guard unlink(path) == 0 else { throw refusal("a dead hub's socket cannot be removed: \(Self.lastError).") }
        case 0, EAGAIN:
            throw HubError(.alreadyRunning, "A hub is already running at \(path).")
        case let code:
            throw refusal("who made the socket that is there cannot be found out: \(Self.text(of: code)).")
        }
    }

    private func connectionError() async -> CInt {
        do {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            try await ClientBootstrap(group: loop).connect(unixDomainSocketPath: path).flatMap { $0.close() }.get()
            return 0
        } catch let error as IOError {
            return error.errnoCode
        } catch {
            return EINVAL
        }
    }

    /// Makes the socket, for those who may connect only, and begins to listen.
    func open() throws(HubError) -> (descriptor: CInt, file: SocketFile) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
            let length = "it has \(bytes.count) bytes, and at most \(limit) may be"
            throw refusal("the path is too long for a socket: \(length). Take a shorter one.")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }

        let group = try access.groupID { refusal($0) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw refusal(Self.lastError) }
        let isBound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, let file = SocketFile(path) else {
            let cause = Self.lastError
            close(descriptor)
            throw refusal(cause)
        }
        // Nobody connects before it listens, so the mode is never too wide for anybody.
        if let group, lchown(path, uid_t.max, group) != 0 {
            let cause = Self.lastError
            file.remove()
            close(descriptor)
            let needs = "The hub's user has to be a member, and its unit has to allow it (SystemCallFilter=@chown)."
            throw refusal("it cannot be given to the group: \(cause). \(needs)")
        }
        guard chmod(path, access.mode) == 0, listen(descriptor, SocketLimits.backlog) == 0 else {
            let cause = Self.lastError
            file.remove()
            close(descriptor)
            throw refusal(cause)
        }
        return (descriptor, file)
    }

    /// The error for a place that cannot be used.
    func refusal(_ cause: String) -> HubError {
        HubError(.socketRefused, "The hub's socket cannot be made at \(path): \(cause)")
    }

    private static var lastError: String { text(of: errno) }

    private static func text(of code: CInt) -> String { String(cString: strerror(code)) }

    private static func makeFolder(_ folder: String, _ mode: mode_t) throws(HubError) {
        if mkdir(folder, mode) == 0 { return give(folder, mode) }
        if errno == EEXIST { return }
        let parent = (folder as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != folder else {
            throw HubError(.socketRefused, "The folder \(folder) for the hub's socket cannot be made: \(lastError).")
        }
        try makeFolder(parent, mode)
        guard mkdir(folder, mode) == 0 || errno == EEXIST else {
            throw HubError(.socketRefused, "The folder \(folder) for the hub's socket cannot be made: \(lastError).")
        }
        give(folder, mode)
    }

    /// Gives a folder that was just made its mode, whatever the process's mask took from it.
    private static func give(_ folder: String, _ mode: mode_t) {
        _ = chmod(folder, mode)
    }
}

/// A lock among the hubs that start at one path: an empty file that only the hub's user can open. The folder would not do,
/// for whoever can read a file can lock it.
struct SocketLock {
    /// What came of asking for the lock.
    enum Attempt {
        case taken(SocketLock)
        /// Somebody else has it.
        case busy
        /// The file cannot be made or opened; the number of the error.
        case failed(CInt)
        /// What is there is something else, or another user's.
        case foreign
    }

    private let file: String
    private let descriptor: CInt

    /// Takes the lock. Never waits: who has it may need this thread to go on.
    static func take(_ file: String) -> Attempt {
        let descriptor = open(file, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return .failed(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0, status.st_size == 0
        else {
            close(descriptor)
            return .foreign
        }
        var present = stat()
        // Who had the lock before has removed the file if it is not at its path any more: then it locks nothing.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, lstat(file, &present) == 0,
            present.st_ino == status.st_ino, present.st_dev == status.st_dev
        else {
            close(descriptor)
            return .busy
        }
        return .taken(SocketLock(file: file, descriptor: descriptor))
    }

    /// Gives the lock up; call it once.
    func release() {
        unlink(file)
        // Closing alone leaves the lock to a child process that is just being started.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

/// A socket in the file system, told apart from a later one at the same path.
struct SocketFile: Hashable, Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Notes the socket that is at `path` now; nil when there is none.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the socket, unless another has taken its place.
    func remove() {
        if SocketFile(path) == self { unlink(path) }
    }
}
