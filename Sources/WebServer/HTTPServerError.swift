/// Why HTTP can't be served.
package struct HTTPServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    package let description: String

    /// Creates an error.
    package init(_ description: String) {
        self.description = description
    }
}
