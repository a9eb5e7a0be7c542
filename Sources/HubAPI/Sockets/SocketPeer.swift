import Glibc

/// Who is at the other end of a Unix socket, as the kernel says (`SO_PEERCRED`).
///
/// The boundary that both ends of the hub's socket watch is the uid: a hub serves processes of its own user and of root,
/// and a client believes a hub that its own user or root runs.
package struct SocketPeer: Hashable, Sendable {
    // The members and their order are those of the kernel's `struct ucred`.

    /// The process.
    package var processID: Int32
    /// Its effective user.
    package var userID: UInt32
    /// Its effective group.
    package var groupID: UInt32

    /// Makes a peer.
    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }

    /// The level of the socket option that has the peer.
    package static let optionLevel = SOL_SOCKET
    /// The socket option that has the peer.
    package static let optionName = SO_PEERCRED
    /// The administrator's uid.
    package static let rootUserID: UInt32 = 0

    /// Whether a process of `user` may trust this peer. By default `user` is that of this process.
    package func isTrusted(by user: UInt32 = geteuid()) -> Bool {
        userID == user || userID == Self.rootUserID
    }
}
