import HomeModel

extension AppSocket {
    /// Checks that the socket can be opened for an app, by a hub or an agent.
    ///
    /// - Throws: `invalidParameter`.
    package func check(for app: String) throws(HubError) {
        func refuse(_ reason: String) throws(HubError) -> Never { throw HubError(HomeError(.invalidParameter, reason)) }
        let limit = HomeLimits.appIdentifierLength
        guard !app.isEmpty, app.sanitized(maximumLength: limit) == app else {
            try refuse("An app's identifier must have 1 to \(limit) printable characters.")
        }
        guard !HubProtocol.isOwnApp(app) else {
            try refuse("“\(app)” is reserved for the hub's own apps. Choose another identifier.")
        }
        guard path.hasPrefix("/"), !path.hasSuffix("/"), !path.utf8.contains(0) else {
            try refuse("A socket's path must be absolute: it begins with / and ends with the socket's name.")
        }
        guard mode & ~0o666 == 0, mode & 0o600 == 0o600 else {
            try refuse("A socket's mode can have only read and write bits, and needs the owner's, as in 0660 or 0666.")
        }
    }
}
