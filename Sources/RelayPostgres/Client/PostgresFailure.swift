import RelayAPI

/// Why PostgreSQL didn't do what it was asked for.
struct PostgresFailure: Error, Hashable, Sendable {
    /// The kinds of failures.
    enum Kind: Hashable, Sendable {
        /// The connection is gone. What was sent may have been done or not.
        case lost
        /// Nothing was done, and the same may succeed at once: two transactions waited for each other.
        case again
        /// There is no space left.
        case full
        /// Nothing was done, for another reason.
        case other
    }

    var kind: Kind
    var message: String

    /// A connection that doesn't answer, or ended.
    static func lost(_ message: String) -> PostgresFailure { PostgresFailure(kind: .lost, message: message) }

    init(kind: Kind, message: String) {
        self.kind = kind
        self.message = message
    }

    /// Reads an error of the server.
    ///
    /// - Parameter state: The SQLSTATE.
    init(state: String, message: String) {
        switch state {
        case "40001", "40P01", "55P03": kind = .again
        case "53100": kind = .full
        // Connection exceptions, and a server that is stopping, crashed, or isn't ready.
        case let state where state.hasPrefix("08") || state.hasPrefix("57P"): kind = .lost
        default: kind = .other
        }
        switch state {
        case "57014": self.message = "it is too slow: \(message)"
        case "25006": self.message = "it is read-only, as a standby is: \(message)"
        case "42P01", "42703":
            self.message = "its tables aren't those of this version: \(message). See “hearth relay migrate --help”"
        default: self.message = message
        }
    }

    /// The error for the relay.
    ///
    /// - Parameter place: Where the database is, without secrets.
    func storeError(at place: String) -> RelayStoreError {
        switch kind {
        case .full: .full("PostgreSQL at \(place) has no space left: \(message). Free some space.")
        case .lost: .failure("PostgreSQL at \(place) can't be reached: \(message).")
        case .again, .other: .failure("PostgreSQL at \(place) can't do it: \(message).")
        }
    }
}
