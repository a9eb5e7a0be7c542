/// The kind of session, which determines what it may see.
package enum SessionKind: Hashable, Sendable {
    /// An app, which can't see other apps.
    case app
    /// One of the hub's own programs, such as the command line, on the main socket. Users manage apps with it.
    case person
}
