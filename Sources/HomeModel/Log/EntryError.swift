/// The reason why an entry can't be decoded or encoded.
package struct EntryError: Error, Hashable, Sendable {
    /// The kind of failure. Unknown values are preserved.
    package struct Code: Hashable, Sendable, RawRepresentable {
        /// The code's name.
        package var rawValue: String

        /// Creates a code from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes are not an entry.
        package static let damaged = Code(rawValue: "damaged")
        /// The entry was written by a newer version.
        package static let futureFormat = Code(rawValue: "futureFormat")
    }

    /// The kind of failure.
    package var code: Code
    /// A human-readable reason.
    package var reason: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension EntryError: CustomStringConvertible {
    /// The code and the reason.
    package var description: String { "\(code.rawValue): \(reason)" }
}
