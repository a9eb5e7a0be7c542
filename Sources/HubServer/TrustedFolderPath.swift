import Foundation
import Glibc
import HubAPI

/// The way to a folder for a socket that others may use: nobody but root and this process's user can change where it leads.
///
/// It is gone step by step. Each folder on it and each symbolic link belongs to one of the two; others may write in a folder
/// only if it lets them change their own only, as `/tmp` does. So what was found stays so.
struct TrustedFolderPath {
    /// The most symbolic links on the way.
    static let linkLimit = 40

    /// The permissions of folders that are made.
    let mode: mode_t
    /// Makes the error of what is wrong.
    let refusal: (String) -> HubError

    /// Goes the way, and makes the folders that are missing, each only once all above it are found to be right.
    ///
    /// - Parameter folder: An absolute path.
    func prepare(_ folder: String) throws(HubError) {
        guard folder.hasPrefix("/") else { throw refusal("\(folder) is no absolute path.") }
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
            guard links <= Self.linkLimit else { throw refusal("there are too many symbolic links on the way.") }
            try checkOwner(of: "the symbolic link \(next)", status)
            let destination = try self.destination(of: next)
            if destination.hasPrefix("/") { place = "/" }
            steps += Self.steps(of: destination)
        }
    }

    /// The steps of a path, the first last.
    private static func steps(of path: String) -> [String] {
        path.split(separator: "/").reversed().map { String($0) }
    }

    private func check(_ place: String, _ status: stat) throws(HubError) {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw refusal("\(place) is no folder.") }
        try checkOwner(of: place, status)
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || status.st_mode & S_ISVTX != 0 else {
            throw refusal("other users can write in \(place). Take another folder, or chmod go-w it.")
        }
    }

    private func checkOwner(of what: String, _ status: stat) throws(HubError) {
        guard status.st_uid == geteuid() || status.st_uid == SocketPeer.rootUserID else {
            throw refusal("\(what) belongs to another user (uid \(status.st_uid)).")
        }
    }

    /// What is at a place; a folder is made where nothing is.
    private func existing(_ place: String) throws(HubError) -> stat {
        var status = stat()
        if lstat(place, &status) == 0 { return status }
        guard errno == ENOENT else { throw refusal("\(place) cannot be looked at: \(lastError).") }
        if mkdir(place, mode) == 0 {
            // Whatever the process's mask took from it.
            _ = chmod(place, mode)
        } else if errno != EEXIST {
            throw refusal("the folder \(place) cannot be made: \(lastError).")
        }
        return try look(at: place)
    }

    private func look(at place: String) throws(HubError) -> stat {
        var status = stat()
        guard lstat(place, &status) == 0 else { throw refusal("\(place) cannot be looked at: \(lastError).") }
        return status
    }

    private func destination(of link: String) throws(HubError) -> String {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(link, &bytes, bytes.count)
        guard length > 0, length < bytes.count else { throw refusal("\(link) cannot be looked at: \(lastError).") }
        return String(decoding: bytes.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private var lastError: String { String(cString: strerror(errno)) }
}
