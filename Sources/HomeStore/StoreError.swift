/// The reason why a store operation failed. The stored data is unchanged.
package struct StoreError: Error, Hashable, Sendable {
    /// The kind of failure. Later versions may add codes.
    package struct Code: Hashable, Sendable, RawRepresentable {
        /// The code's name in messages and on the command line.
        package var rawValue: String

        /// Creates a code from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another process, or another store of this process, has the data folder open.
        package static let inUse = Code(rawValue: "storeInUse")
        /// The folder or its files belong to another user, or other users have access to them.
        package static let insecure = Code(rawValue: "storeInsecure")
        /// The database was written by a newer version.
        package static let futureFormat = Code(rawValue: "storeFutureFormat")
        /// The database, or part of it, is missing or can't be read. It is left unchanged.
        package static let damaged = Code(rawValue: "storeDamaged")
        /// There is no space left.
        package static let full = Code(rawValue: "storeFull")
        /// The file system reported an error.
        package static let inputOutput = Code(rawValue: "storeInputOutput")
        /// The log isn't at the revision on which the change was decided.
        package static let conflict = Code(rawValue: "storeConflict")
        /// The request was already carried out.
        package static let repeated = Code(rawValue: "storeRepeated")
        /// The value can't be stored.
        package static let invalid = Code(rawValue: "storeInvalid")
        /// The log doesn't exist, or was removed.
        package static let noSuchLog = Code(rawValue: "storeNoSuchLog")
        /// The target already exists.
        package static let occupied = Code(rawValue: "storeOccupied")
        /// Nothing was stored, because this hub is one of two and doesn't lead.
        package static let notLeader = Code(rawValue: "storeNotLeader")
        /// This hub stopped leading before it knew whether the change is stored. It may still happen.
        package static let unknownOutcome = Code(rawValue: "storeUnknownOutcome")
        /// The store was closed.
        package static let closed = Code(rawValue: "storeClosed")
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

extension StoreError: CustomStringConvertible {
    /// The code and the reason.
    package var description: String { "\(code.rawValue): \(reason)" }
}
