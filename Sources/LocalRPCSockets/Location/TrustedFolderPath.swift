import Foundation
import Glibc
import LocalRPC

/// The path to the folder of a socket that other users can open. Only root and this process's user can change where it leads.
///
/// The path is checked component by component. Each folder and each symbolic link must belong to one of the two users.
/// Others can write in a folder only if it is sticky, as `/tmp` is. So the path stays safe after the check.
struct TrustedFolderPath {
    /// The maximum number of symbolic links on the path.
    static let linkLimit = 40

    /// The permissions of folders that are created.
    let mode: mode_t
    /// Creates the error for a cause.
    let refusal: (String) -> RPCError

    /// Checks the path and creates missing folders, each only after all folders above it were checked.
    ///
    /// - Parameter folder: An absolute path.
    func prepare(_ folder: String) throws(RPCError) {
        guard folder.hasPrefix("/") else { throw refusal("\(folder) is not an absolute path.") }
        var steps = Self.steps(of: folder)
        var (place, links) = ("/", 0)
        try check(place, try look(at: place))
        while let step = steps.popLast() {
            if step == "." { continue }
            if step == ".." {
                place = (place as NSString).deletingLastPathComponent
                continue
            }
            let next = (place as NSString).appendingPathComponent(step)
            let status = try existing(next)
            guard status.st_mode & S_IFMT == S_IFLNK else {
                try check(next, status)
                place = next
                continue
            }
            links += 1
            guard links <= Self.linkLimit else {
                throw refusal("the path has too many symbolic links; the maximum is \(Self.linkLimit).")
            }
            try checkOwner(of: "the symbolic link \(next)", status)
            let destination = try self.destination(of: next)
            if destination.hasPrefix("/") { place = "/" }
            steps += Self.steps(of: destination)
        }
    }

    /// Returns the components of a path in reverse.
    private static func steps(of path: String) -> [String] {
        path.split(separator: "/").reversed().map { String($0) }
    }

    private func check(_ place: String, _ status: stat) throws(RPCError) {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw refusal("\(place) is not a folder.") }
        try checkOwner(of: place, status)
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || status.st_mode & S_ISVTX != 0 else {
            throw refusal("other users can write in \(place). Choose another folder, or chmod go-w it.")
        }
    }

    private func checkOwner(of what: String, _ status: stat) throws(RPCError) {
        guard status.st_uid == geteuid() || status.st_uid == SocketPeer.rootUserID else {
            throw refusal("\(what) belongs to another user (uid \(status.st_uid)).")
        }
    }

    /// Returns the attributes of the file at a path, or creates a folder if there is none.
    private func existing(_ place: String) throws(RPCError) -> stat {
        var status = stat()
        if lstat(place, &status) == 0 { return status }
        guard errno == ENOENT else { throw refusal("the attributes of \(place) can't be read: \(lastError).") }
        if mkdir(place, mode) == 0 {
            // This sets the mode regardless of the process's umask.
            _ = chmod(place, mode)
        } else if errno != EEXIST {
            throw refusal("the folder \(place) can't be created: \(lastError).")
        }
        return try look(at: place)
    }

    private func look(at place: String) throws(RPCError) -> stat {
        var status = stat()
        guard lstat(place, &status) == 0 else {
            throw refusal("the attributes of \(place) can't be read: \(lastError).")
        }
        return status
    }

    private func destination(of link: String) throws(RPCError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(link, &bytes, bytes.count)
        guard length > 0, length < bytes.count else {
            throw refusal("the symbolic link \(link) can't be read: \(lastError).")
        }
        return String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private var lastError: String { String(cString: strerror(errno)) }
}
