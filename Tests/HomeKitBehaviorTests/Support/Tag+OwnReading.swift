import Testing

extension Tag {
    /// A behavior that Apple documents nowhere: the test holds this module to its own reading of Apple's rules, or to what it
    /// promises beyond them.
    @Tag static var ownReading: Self
}
