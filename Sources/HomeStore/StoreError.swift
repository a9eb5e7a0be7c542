/// Why the store refused something. What it holds is as it was before.
package struct StoreError: Error, Hashable, Sendable {
    /// The kind of failure. Code that switches over it must have a default case.
    package struct Code: Hashable, Sendable, RawRepresentable {
        /// The code's name in messages and on the command line.
        package var rawValue: String

        /// Creates a code from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another process, or another store of this one, has the data folder open.
        package static let inUse = Code(rawValue: "storeInUse")
        /// Folder or files belong to someone else, or others may read or write them.
        package static let insecure = Code(rawValue: "storeInsecure")
        /// The database was written by a later version.
        package static let futureFormat = Code(rawValue: "storeFutureFormat")
        /// The database, or part of it, is missing or cannot be read. It is left as it is.
        package static let damaged = Code(rawValue: "storeDamaged")
        /// There is no space left.
        package static let full = Code(rawValue: "storeFull")
        /// The file system refused.
        package static let inputOutput = Code(rawValue: "storeInputOutput")
        /// The log is at another revision than the change was decided against.
        package static let conflict = Code(rawValue: "storeConflict")
        /// The request was carried out before.
        package static let repeated = Code(rawValue: "storeRepeated")
        /// What was handed in cannot be stored.
        package static let invalid = Code(rawValue: "storeInvalid")
        /// The log doesn't exist, or was removed.
        package static let noSuchLog = Code(rawValue: "storeNoSuchLog")
        /// Where something is to be made there is something already.
        package static let occupied = Code(rawValue: "storeOccupied")
        /// The store was closed.
        package static let closed = Code(rawValue: "storeClosed")
    }

    /// The sort of failure.
    package var code: Code
    /// What is wrong and what to do, for people.
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
