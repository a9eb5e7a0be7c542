import Foundation

/// The names of what log lines tell beside their message: the same in every line, for those who search.
enum LogKey {
    /// An accessory server, by its device id.
    static let accessory = "accessory"
    /// A home, by its identity.
    static let home = "home"
    /// A client's connection.
    static let client = "client"
    /// An app, by its identifier.
    static let app = "app"
    /// A method of the hub.
    static let method = "method"
    /// The word of a ``HubAPI/HubError/Code``.
    static let code = "code"
    /// The name of a cause for which an accessory can't be reached.
    static let cause = "cause"
    /// What a cause means, for people.
    static let reason = "reason"
    /// An error that has no word.
    static let error = "error"
    /// A file or a socket.
    static let path = "path"
    /// Where an accessory is.
    static let address = "address"
    /// A request to an accessory.
    static let request = "request"
    /// The status of an answer.
    static let status = "status"
    /// The length of a request's body.
    static let requestBytes = "requestBytes"
    /// The length of an answer's or event's body.
    static let responseBytes = "responseBytes"
    /// How long it took.
    static let milliseconds = "ms"
    /// What a change was.
    static let verb = "verb"
}

extension Duration {
    /// In milliseconds, with as many places as anybody can use.
    var milliseconds: String {
        String(format: "%.1f", self / .milliseconds(1))
    }
}
