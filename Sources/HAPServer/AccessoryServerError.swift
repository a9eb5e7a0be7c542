/// An error of an accessory server that could not be created, started or changed.
///
/// `code` is machine-readable. `reason` is human-readable and names the problem and what to do about it. It never
/// contains a setup code or a key. More codes may be added.
public struct AccessoryServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an ``AccessoryServerError``.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's stable name, such as `storageLocked`.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// An accessory, service or characteristic violates a rule of HAP.
        public static let invalidAccessory = Code(rawValue: "invalidAccessory")
        /// The configuration is invalid or contradicts the storage.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// Another server uses the storage.
        public static let storageLocked = Code(rawValue: "storageLocked")
        /// The storage can't be read or is incomplete. It is left unchanged.
        public static let storageUnreadable = Code(rawValue: "storageUnreadable")
        /// The storage can't be written.
        public static let storageUnwritable = Code(rawValue: "storageUnwritable")
        /// The address and port can't be bound.
        public static let portRefused = Code(rawValue: "portRefused")
        /// The accessory can't be advertised with multicast DNS.
        public static let advertisingFailed = Code(rawValue: "advertisingFailed")
        /// The server is not in a state that allows the call.
        public static let wrongState = Code(rawValue: "wrongState")
        /// The server doesn't host the characteristic.
        public static let noSuchCharacteristic = Code(rawValue: "noSuchCharacteristic")
        /// The characteristic can't have the value.
        public static let invalidValue = Code(rawValue: "invalidValue")
    }

    /// The kind of error.
    public let code: Code
    /// The human-readable reason.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code's name and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
