/// Why a large transfer to the other hub has failed.
package enum HubTransferError: Error, Hashable, Sendable {
    /// The other hub isn't connected, or isn't any more.
    case notConnected
    /// This hub is sending another transfer.
    case busy
    /// The other hub doesn't take it.
    case refused
    /// The file can't be read, or is too long.
    case unreadable
}
