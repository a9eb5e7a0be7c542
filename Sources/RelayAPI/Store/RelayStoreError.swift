/// An error of a relay's store.
package enum RelayStoreError: Error, Hashable, Sendable {
    /// What was asked for doesn't exist, or isn't the caller's.
    case notFound
    /// A house can't be made without a valid registration token.
    case registrationRefused
    /// A list, generation or version is older than the stored one.
    case outdated(stored: Int64)
    /// A quota is used up; what to do.
    case quotaExceeded(String)
    /// The store is closed.
    case closed
    /// The disk or the database has no space left.
    case full(String)
    /// The database can't be read or written.
    case failure(String)
}

extension RelayStoreError {
    /// The error that the caller gets. What is wrong with the store is for the log alone.
    package var answer: RelayError {
        switch self {
        case .notFound: .notFound
        case .registrationRefused:
            RelayError(
                .registrationRefused,
                "Registering a house needs a valid token. Ask the relay's operator for one."
            )
        case .outdated(let stored): RelayError(.conflict, "The relay has a newer one: \(stored).")
        case .quotaExceeded(let reason): RelayError(.quotaExceeded, reason)
        case .closed, .full, .failure:
            RelayError(.storeFailure, "The relay can't read or write now. Try again later.", retryAfter: 10)
        }
    }
}
