/// Why an entry cannot be read or written.
package struct EntryError: Error, Hashable, Sendable {
    /// The sort of failure. Kept open.
    package struct Code: Hashable, Sendable, RawRepresentable {
        /// The code's name.
        package var rawValue: String

        /// Wraps a code's name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes are not an entry's.
        package static let damaged = Code(rawValue: "damaged")
        /// The entry was written by a later version.
        package static let futureFormat = Code(rawValue: "futureFormat")
    }

    /// The sort of failure.
    package var code: Code
    /// What is wrong, for people.
    package var reason: String

    /// Makes an error.
    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension EntryError: CustomStringConvertible {
    /// The code and the reason.
    package var description: String { "\(code.rawValue): \(reason)" }
}
