/// The reason why a description of when an automation runs was not understood.
package struct WhenError: Error, Hashable, Sendable {
    /// The error's code.
    package struct Code: Hashable, Sendable, RawRepresentable {
        /// The code's name in messages.
        package var rawValue: String

        /// Creates a code from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A part of the text isn't one of the forms that are understood.
        package static let notUnderstood = Code(rawValue: "notUnderstood")
        /// A part of the text is understood, but its value is out of range.
        package static let invalidParameter = Code(rawValue: "invalidParameter")
        /// The home has no object with the name.
        package static let notFound = Code(rawValue: "notFound")
        /// Several objects of the home have the name.
        package static let ambiguous = Code(rawValue: "ambiguous")
        /// The text is longer than ``WhenParser/maximumLength``, or its parentheses are nested too deeply.
        package static let tooLong = Code(rawValue: "tooLong")
    }

    /// The code.
    package var code: Code
    /// The part that was not understood, and what would be.
    package var reason: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
