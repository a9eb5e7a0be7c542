extension RouteFile {
    /// Stores the user's choice of a receiver by its name; `nil` keeps audio on this computer. The interfaces on which apps
    /// look, and the passwords of other receivers, stay as they are.
    package func choose(_ receiver: String?, password: String? = nil) throws(Failure) {
        var choice = choice.replacing(receiver.map { [RouteChoice.Receiver(name: $0)] } ?? [])
        if let receiver, let password { choice.setPassword(password, of: receiver) }
        try write(choice)
    }

    /// Has apps play to a receiver, too, in step with those that are chosen. Nothing changes if it is one of them.
    package func add(_ receiver: String, password: String? = nil) throws(Failure) {
        var choice = choice
        if !choice.contains(receiver) { choice.receivers.append(RouteChoice.Receiver(name: receiver)) }
        if let password { choice.setPassword(password, of: receiver) }
        try write(choice)
    }

    /// Has apps play to a receiver no longer. Nothing changes if it isn't chosen.
    package func remove(_ receiver: String) throws(Failure) {
        let choice = choice
        try write(choice.replacing(choice.receivers.filter { $0.name != receiver }))
    }

    /// The folder with the sockets of the apps that play, beside the file: `route-players` for `route.json`.
    package var players: String { stem + "-players" }
}
