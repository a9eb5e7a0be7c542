/// Why a request about homes was refused. Nothing was changed.
public struct HomeError: Error, Hashable, Sendable, Codable {
    /// The rule that was broken. Kept open: a reader meets codes of newer versions.
    public struct Code: Hashable, Sendable, Codable, RawRepresentable {
        /// The code's name in messages and on the command line.
        public var rawValue: String

        /// Wraps a code's name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is nothing of that identity here.
        public static let notFound = Code(rawValue: "notFound")
        /// The caller's role does not allow it.
        public static let insufficientPrivileges = Code(rawValue: "insufficientPrivileges")
        /// The identity is in use, or the accessory server's accessories are in the home already.
        public static let alreadyAdded = Code(rawValue: "alreadyAdded")
        /// One more than ``HomeLimits`` allows.
        public static let limitExceeded = Code(rawValue: "limitExceeded")
        /// A request that makes no sense, for example an addition of nothing.
        public static let invalidParameter = Code(rawValue: "invalidParameter")
        /// What an accessory server describes contradicts itself.
        public static let invalidAccessory = Code(rawValue: "invalidAccessory")

        /// The name, or one that compares equal, is taken.
        public static let nameTaken = Code(rawValue: "nameTaken")
        /// The name has no characters.
        public static let nameEmpty = Code(rawValue: "nameEmpty")
        /// The name is longer than ``HomeLimits/nameLength``.
        public static let nameTooLong = Code(rawValue: "nameTooLong")
        /// The name has a character that is no letter, digit, space or apostrophe.
        public static let nameInvalidCharacter = Code(rawValue: "nameInvalidCharacter")
        /// The name begins with a space or an apostrophe.
        public static let nameInvalidStart = Code(rawValue: "nameInvalidStart")
        /// The name ends with a space or an apostrophe.
        public static let nameInvalidEnd = Code(rawValue: "nameInvalidEnd")

        /// The default room can be neither renamed nor removed.
        public static let defaultRoomFixed = Code(rawValue: "defaultRoomFixed")
        /// The default room can be in no zone.
        public static let defaultRoomNotInZone = Code(rawValue: "defaultRoomNotInZone")
        /// The room is in the zone already.
        public static let alreadyInZone = Code(rawValue: "alreadyInZone")
        /// The room is not in the zone.
        public static let notInZone = Code(rawValue: "notInZone")
        /// An accessory behind a bridge leaves with its bridge only.
        public static let bridgedNotRemovable = Code(rawValue: "bridgedNotRemovable")
    }

    /// The rule that was broken.
    public var code: Code
    /// What is wrong and what to do, for people; one sentence or two.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension HomeError: CustomStringConvertible {
    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
