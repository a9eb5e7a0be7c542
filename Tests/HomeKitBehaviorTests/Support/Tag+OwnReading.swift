import Testing

extension Tag {
    /// A behavior that Apple doesn't document. The test checks this module's own interpretation of Apple's rules, or a
    /// promise beyond them.
    @Tag static var ownReading: Self
}
