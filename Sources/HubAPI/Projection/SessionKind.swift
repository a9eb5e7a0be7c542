/// The kind of session, which determines what it may see.
package enum SessionKind: Hashable, Sendable {
    /// An app, which can't see other apps.
    case app
    /// A program of the hub's own on the hub's main socket, such as the command line. Users manage apps with it.
    case person
}
