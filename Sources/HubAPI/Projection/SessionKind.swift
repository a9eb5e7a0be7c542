/// What a session is to its user, as far as what it is shown goes.
package enum SessionKind: Hashable, Sendable {
    /// An app: it learns of other apps nothing.
    case app
    /// A program of the hub's own at the hub's own socket, such as the command line: by it a person rules over apps.
    case person
}
