/// The kind of session, which determines what it may see.
package enum SessionKind: Hashable, Sendable {
    /// An app, which can't see other apps.
    case app
    /// One of the hub's own programs, such as the command line, on the main socket. Users manage apps with it.
    case person
    /// An agent, which serves apps on a person's device in the hub's place. It sees what its person sees, under the home's
    /// own user IDs, so that it can derive the projection of each app.
    case agent

    /// Whether the session sees what its person may see.
    package var isPerson: Bool { self != .app }
}
