/// A kind of server that clients expect at a socket: the words for errors.
package struct SocketServer: Sendable {
    /// The server's name without an article.
    package let name: String
    /// The advice if no server answers.
    package let startAdvice: String
    /// The advice if the given user runs the program that answers, and that user isn't trusted.
    package let trustAdvice: (@Sendable (UInt32) -> String)?

    /// Creates a description.
    package init(name: String, startAdvice: String, trustAdvice: (@Sendable (UInt32) -> String)? = nil) {
        self.name = name
        self.startAdvice = startAdvice
        self.trustAdvice = trustAdvice
    }
}
