import Glibc

/// The credentials of a Unix socket's peer, as the kernel reports them (`SO_PEERCRED`).
///
/// Both ends check the uid: a server serves processes of its own user and of root, and a client trusts a server that its
/// own user or root runs.
package struct SocketPeer: Hashable, Sendable {
    // The members and their order are those of the kernel's `struct ucred`.

    /// The process ID.
    package var processID: Int32
    /// The effective user ID.
    package var userID: UInt32
    /// The effective group ID.
    package var groupID: UInt32

    /// Creates credentials.
    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }

    /// The level of the socket option for the credentials.
    package static let optionLevel = SOL_SOCKET
    /// The socket option for the credentials.
    package static let optionName = SO_PEERCRED
    /// The user ID of root.
    package static let rootUserID: UInt32 = 0

    /// Returns whether a process of `user` can trust this peer (default: this process's user).
    package func isTrusted(by user: UInt32 = geteuid()) -> Bool {
        userID == user || userID == Self.rootUserID
    }
}
