/// Why the store refused something. What it holds is as it was before.
public struct StoreError: Error, Hashable, Sendable {
    /// The sort of failure. Kept open: new codes break nobody.
    public struct Code: Hashable, Sendable, RawRepresentable {
        /// The code's name in messages and on the command line.
        public var rawValue: String

        /// Wraps a code's name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Another process, or another store of this one, has the data folder open.
        public static let inUse = Code(rawValue: "storeInUse")
        /// Folder or files belong to someone else, or others may read or write them.
        public static let insecure = Code(rawValue: "storeInsecure")
        /// The database was written by a later version.
        public static let futureFormat = Code(rawValue: "storeFutureFormat")
        /// The database, or part of it, is missing or cannot be read. It is left as it is.
        public static let damaged = Code(rawValue: "storeDamaged")
        /// There is no space left.
        public static let full = Code(rawValue: "storeFull")
        /// The file system refused.
        public static let inputOutput = Code(rawValue: "storeInputOutput")
        /// The log is at another revision than the change was decided against.
        public static let conflict = Code(rawValue: "storeConflict")
        /// The request was carried out before.
        package static let repeated = Code(rawValue: "storeRepeated")
        /// What was handed in cannot be stored.
        public static let invalid = Code(rawValue: "storeInvalid")
        /// The log doesn't exist, or was removed.
        public static let noSuchLog = Code(rawValue: "storeNoSuchLog")
        /// Where something is to be made there is something already.
        public static let occupied = Code(rawValue: "storeOccupied")
        /// The store was closed.
        public static let closed = Code(rawValue: "storeClosed")
    }

    /// The sort of failure.
    public var code: Code
    /// What is wrong and what to do, for people.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension StoreError: CustomStringConvertible {
    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
