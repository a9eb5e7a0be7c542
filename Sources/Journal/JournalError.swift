/// The reason why the journal can't be opened or read.
package struct JournalError: Error, Hashable, Sendable {
    /// The kind of failure.
    package enum Code: Hashable, Sendable {
        /// The file belongs to another user, or other users have access to it.
        case insecure
        /// A newer version wrote the file. It is left unchanged.
        case futureFormat
        /// The file can't be read. It is moved aside, and another is begun.
        case damaged
        /// There is no space left.
        case full
        /// The file system reported an error.
        case inputOutput
        /// The journal was closed.
        case closed
        /// The journal doesn't have the entry, or no longer has it.
        case noSuchEntry
    }

    /// The kind of failure.
    package var code: Code
    /// A human-readable reason: what is wrong and what to do.
    package var reason: String

    /// Creates an error.
    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension JournalError: CustomStringConvertible {
    /// The reason.
    package var description: String { reason }
}
