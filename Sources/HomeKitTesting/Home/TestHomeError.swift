/// Something that a test asked of its home and that cannot be.
public struct TestHomeError: Error, Hashable, CustomStringConvertible {
    /// What was wrong, for people.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
