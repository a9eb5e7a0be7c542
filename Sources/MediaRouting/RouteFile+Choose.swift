extension RouteFile {
    /// Stores the user's choice of a receiver by its name; `nil` keeps audio on this computer. The interfaces on which apps
    /// look stay as they are.
    package func choose(_ receiver: String?, password: String? = nil) throws {
        try write(RouteChoice(receiver: receiver, password: password, interfaces: choice.interfaces))
    }

    /// The folder with the sockets of the apps that play, beside the file: `route-players` for `route.json`.
    package var players: String { (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + "-players" }
}
