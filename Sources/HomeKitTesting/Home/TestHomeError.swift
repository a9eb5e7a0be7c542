/// An error for a request that a test home can't fulfill.
public struct TestHomeError: Error, Hashable, CustomStringConvertible {
    /// A description of the error.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
