/// Why an entry cannot be read or written.
public struct EntryError: Error, Hashable, Sendable {
    /// The sort of failure. Kept open.
    public struct Code: Hashable, Sendable, RawRepresentable {
        /// The code's name.
        public var rawValue: String

        /// Wraps a code's name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes are not an entry's.
        public static let damaged = Code(rawValue: "damaged")
        /// The entry was written by a later version.
        public static let futureFormat = Code(rawValue: "futureFormat")
    }

    /// The sort of failure.
    public var code: Code
    /// What is wrong, for people.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension EntryError: CustomStringConvertible {
    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
