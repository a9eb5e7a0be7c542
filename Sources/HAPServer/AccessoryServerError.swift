/// Why an accessory server could not be made, started or changed.
///
/// `code` says what kind of failure it is and is meant for programs; `reason` names what was wrong and what to do about
/// it, and is meant for people. It never holds a setup code or a key. The set of codes is open: new ones may appear.
public struct AccessoryServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an ``AccessoryServerError``.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable word for the kind, such as `storageLocked`.
        public let rawValue: String

        /// Creates a code from its stable word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A description of an accessory, service or characteristic breaks a rule of HAP.
        public static let invalidAccessory = Code(rawValue: "invalidAccessory")
        /// The configuration contradicts what the storage holds, or is not usable.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// Another server uses the storage.
        public static let storageLocked = Code(rawValue: "storageLocked")
        /// What the storage holds cannot be read, or is not whole. It is left as it is.
        public static let storageUnreadable = Code(rawValue: "storageUnreadable")
        /// The storage could not be written.
        public static let storageUnwritable = Code(rawValue: "storageUnwritable")
        /// The address and port could not be bound.
        public static let portRefused = Code(rawValue: "portRefused")
        /// The accessory could not be made known by multicast DNS.
        public static let advertisingFailed = Code(rawValue: "advertisingFailed")
        /// The server has that state already, or is not in the state that the call needs.
        public static let wrongState = Code(rawValue: "wrongState")
        /// The server hosts no such characteristic.
        public static let noSuchCharacteristic = Code(rawValue: "noSuchCharacteristic")
        /// The characteristic cannot have that value.
        public static let invalidValue = Code(rawValue: "invalidValue")
    }

    /// What kind of failure this is.
    public let code: Code
    /// What was wrong, in a sentence for people.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The reason, preceded by the code's word.
    public var description: String { "\(code.rawValue): \(reason)" }
}
