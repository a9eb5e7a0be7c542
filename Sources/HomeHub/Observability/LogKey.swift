import Foundation

/// The names of log metadata, which are the same in all messages.
enum LogKey {
    /// An accessory server's device ID.
    static let accessory = "accessory"
    /// A home's ID.
    static let home = "home"
    /// The ID of a client's connection.
    static let client = "client"
    /// The ID of a device that signs in.
    static let device = "device"
    /// An app's identifier.
    static let app = "app"
    /// The name of one of the hub's methods.
    static let method = "method"
    /// The raw value of a ``HubAPI/HubError/Code``.
    static let code = "code"
    /// The name of the cause for which an accessory can't be reached.
    static let cause = "cause"
    /// The meaning of a cause, as human-readable text.
    static let reason = "reason"
    /// An error without a code.
    static let error = "error"
    /// The path of a file or a socket.
    static let path = "path"
    /// An accessory's network address.
    static let address = "address"
    /// A request to an accessory.
    static let request = "request"
    /// The status of a response.
    static let status = "status"
    /// The length of a request's body, in bytes.
    static let requestBytes = "requestBytes"
    /// The length of a response's or event's body, in bytes.
    static let responseBytes = "responseBytes"
    /// A duration in milliseconds.
    static let milliseconds = "ms"
    /// The verb of a change.
    static let verb = "verb"
}

extension Duration {
    /// The duration in milliseconds, with one decimal.
    var milliseconds: String {
        String(format: "%.1f", self / .milliseconds(1))
    }
}
