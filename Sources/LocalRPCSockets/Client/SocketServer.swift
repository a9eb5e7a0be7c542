/// A description of the server that clients expect at a socket, for errors.
package struct SocketServer: Sendable {
    /// The server's name without an article.
    package let name: String
    /// The advice if no server responds.
    package let startAdvice: String
    /// The advice if the given user, who isn't trusted, runs the program that responds.
    package let trustAdvice: (@Sendable (UInt32) -> String)?

    /// Creates a description.
    package init(name: String, startAdvice: String, trustAdvice: (@Sendable (UInt32) -> String)? = nil) {
        self.name = name
        self.startAdvice = startAdvice
        self.trustAdvice = trustAdvice
    }
}
