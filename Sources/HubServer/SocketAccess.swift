import Glibc
import HubAPI

/// Who may connect to a socket, as far as the file system says.
struct SocketAccess: Hashable, Sendable {
    /// The hub's own user and root.
    static let owner = SocketAccess(mode: S_IRUSR | S_IWUSR)

    /// The socket's permissions.
    var mode: mode_t
    /// The group that they are about, by name or number; nil for the hub's own.
    var group: String?

    /// Whether it is for others too.
    var isShared: Bool { self != .owner }

    /// The permissions of folders that are made for the socket.
    var folderMode: mode_t {
        isShared ? S_IRWXU | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH : S_IRWXU
    }

    /// The group's number; nil for the hub's own.
    ///
    /// - Parameter refusal: Makes the error of what is wrong.
    func groupID(_ refusal: (String) -> HubError) throws(HubError) -> gid_t? {
        guard let group else { return nil }
        if let number = gid_t(group), number != .max { return number }
        var (entry, found) = (Glibc.group(), nil as UnsafeMutablePointer<Glibc.group>?)
        var buffer = [CChar](repeating: 0, count: 1 << 16)
        let code = getgrnam_r(group, &entry, &buffer, buffer.count, &found)
        guard code == 0, found != nil else { throw refusal("there is no group “\(group)” on this machine.") }
        return entry.gr_gid
    }
}
