import Foundation
import Glibc
import LocalRPC
import NIOCore
import NIOPosix

/// The path of a server's socket and the folder around it, which keeps other users out.
struct SocketLocation {
    /// The socket's path.
    let path: String
    private let server: String
    private let access: SocketAccess
    private let folder: String

    /// Creates a location without touching the file system.
    ///
    /// - Parameters:
    ///   - path: The socket's path.
    ///   - server: The server's name without an article, for errors.
    ///   - access: The users that can connect.
    init(path: String, server: String, access: SocketAccess = .owner) {
        self.path = path
        self.server = server
        self.access = access
        let parent = (path as NSString).deletingLastPathComponent
        folder = parent.isEmpty ? "." : parent
    }

    /// Creates the folder if it is missing, and checks that only its owner can change its contents.
    ///
    /// A new folder is for its owner only, or open for reading to the users that can connect.
    func prepareFolder() throws(RPCError) {
        guard !access.isShared else {
            return try TrustedFolderPath(mode: access.folderMode, refusal: refusal).prepare(folder)
        }
        try makeFolder(folder, access.folderMode)
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw refusal("the attributes of \(folder) can't be read: \(Self.lastError).")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw refusal("\(folder) is not a folder.") }
        guard status.st_uid == geteuid() || status.st_uid == SocketPeer.rootUserID else {
            throw refusal("\(folder) belongs to another user (uid \(status.st_uid)).")
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw refusal("other users can write in \(folder). Choose a folder of your own (chmod 700).")
        }
    }

    /// Locks the path against other servers that start at the same time. Waits a few seconds if one of them has the lock.
    func lock() async throws(RPCError) -> SocketLock {
        let file = path + ".lock"
        for _ in 0..<SocketLimits.lockTries {
            switch SocketLock.acquire(file) {
            case .acquired(let lock): return lock
            case .busy: try? await Task.sleep(for: SocketLimits.lockPause)
            case .failed(let code): throw refusal("its lock \(file) can't be created: \(Self.text(of: code)).")
            case .notOurs: throw refusal("\(file) is not a lock of this user. Remove it, or choose another path.")
            }
        }
        throw RPCError(.alreadyRunning, "Another \(server) is starting at \(path).")
    }

    /// Removes the socket of a server that has ended.
    ///
    /// - Throws: ``RPCError`` with `alreadyRunning` if the server still runs.
    func removeStaleSocket() async throws(RPCError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw refusal("the path exists and isn't a socket. Remove it, or choose another path.")
        }
        switch await connectionError() {
        case ECONNREFUSED:
            guard unlink(path) == 0 else {
                throw refusal("the socket of a \(server) that has ended can't be removed: \(Self.lastError).")
            }
        case 0, EAGAIN:
            throw RPCError(.alreadyRunning, "A \(server) is already running at \(path).")
        case let code:
            throw refusal("the existing socket can't be connected to: \(Self.text(of: code)).")
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

    /// Creates the socket for the users that can connect, and starts to listen.
    func open() throws(RPCError) -> (descriptor: CInt, file: SocketFile) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
            throw refusal(
                "the path is too long: it has \(bytes.count) bytes, and the maximum is \(limit). Choose a shorter one."
            )
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
        // No client can connect before it listens, so the mode is never too permissive.
        if let group, lchown(path, uid_t.max, group) != 0 {
            let cause = Self.lastError
            file.remove()
            close(descriptor)
            let needs = "The \(server)'s user must be a member, and its unit must allow it (SystemCallFilter=@chown)."
            throw refusal("its group can't be set: \(cause). \(needs)")
        }
        guard chmod(path, access.mode) == 0, listen(descriptor, SocketLimits.backlog) == 0 else {
            let cause = Self.lastError
            file.remove()
            close(descriptor)
            throw refusal(cause)
        }
        return (descriptor, file)
    }

    /// Returns the error for a path that can't be used.
    func refusal(_ cause: String) -> RPCError {
        RPCError(.socketRefused, "The \(server)'s socket can't be created at \(path): \(cause)")
    }

    private static var lastError: String { text(of: errno) }

    private static func text(of code: CInt) -> String { String(cString: strerror(code)) }

    private func makeFolder(_ folder: String, _ mode: mode_t) throws(RPCError) {
        if mkdir(folder, mode) == 0 { return Self.setMode(of: folder, mode) }
        if errno == EEXIST { return }
        let parent = (folder as NSString).deletingLastPathComponent
        guard errno == ENOENT, !parent.isEmpty, parent != folder else {
            throw RPCError(
                .socketRefused,
                "The folder \(folder) for the \(server)'s socket can't be created: \(Self.lastError)."
            )
        }
        try makeFolder(parent, mode)
        guard mkdir(folder, mode) == 0 || errno == EEXIST else {
            throw RPCError(
                .socketRefused,
                "The folder \(folder) for the \(server)'s socket can't be created: \(Self.lastError)."
            )
        }
        Self.setMode(of: folder, mode)
    }

    /// Sets the mode of a new folder, regardless of the process's umask.
    private static func setMode(of folder: String, _ mode: mode_t) {
        _ = chmod(folder, mode)
    }
}
