import Glibc
import LocalRPC

/// The users that can connect to a socket, by its permissions.
package struct SocketAccess: Hashable, Sendable {
    /// The server's own user and root.
    package static let owner = SocketAccess(mode: S_IRUSR | S_IWUSR)

    /// The socket's permissions.
    package var mode: UInt32
    /// The socket's group, by name or number; `nil` for the server's own.
    package var group: String?

    /// Creates permissions.
    package init(mode: UInt32, group: String? = nil) {
        self.mode = mode
        self.group = group
    }

    /// Whether other users can connect too.
    var isShared: Bool { self != .owner }

    /// The permissions of folders that are created for the socket.
    var folderMode: UInt32 {
        isShared ? S_IRWXU | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH : S_IRWXU
    }

    /// Returns the group's number; `nil` for the server's own.
    ///
    /// - Parameter refusal: A closure that creates the error for a cause.
    func groupID(_ refusal: (String) -> RPCError) throws(RPCError) -> gid_t? {
        guard let group else { return nil }
        if let number = gid_t(group), number != .max { return number }
        var (entry, found) = (Glibc.group(), nil as UnsafeMutablePointer<Glibc.group>?)
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        let code = getgrnam_r(group, &entry, &buffer, buffer.count, &found)
        guard code == 0, found != nil else { throw refusal("this machine has no group “\(group)”.") }
        return entry.gr_gid
    }
}
