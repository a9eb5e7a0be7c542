internal import HAPServer

/// An error of the simulator.
///
/// The `code` is machine-readable; the `reason` is human-readable and says what is wrong and what to do. The set of
/// codes is open: codes of `AccessoryServerError` also occur.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a ``SimulatorError``.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable identifier of the code, such as `invalidFile`.
        public let rawValue: String

        /// Creates a code from its stable identifier.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A file can't be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// A file isn't a valid accessory or scenario file, or a scenario contradicts itself. The reason names file,
        /// line and field.
        public static let invalidFile = Code(rawValue: "invalidFile")
        /// Two accessories have the same serial number, or the configuration is impossible.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// No accessory, service or characteristic has that name.
        public static let notFound = Code(rawValue: "notFound")
        /// Several accessories or services have that name.
        public static let ambiguous = Code(rawValue: "ambiguous")
        /// The characteristic doesn't accept the value.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// A control request has an unknown method.
        public static let unknownMethod = Code(rawValue: "unknownMethod")
        /// A control request has invalid parameters. The reason names the field.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// An edit violates a rule: it removes something required, or adds something that already exists.
        public static let notAllowed = Code(rawValue: "notAllowed")
        /// A fault is invalid, or the accessory doesn't support it.
        public static let invalidFault = Code(rawValue: "invalidFault")
        /// The simulator was already started or stopped.
        public static let wrongState = Code(rawValue: "wrongState")
    }

    /// The kind of error.
    public let code: Code
    /// A human-readable description of the problem.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// Creates an error from a server's error.
    init(_ error: AccessoryServerError) {
        self.init(Code(rawValue: error.code.rawValue), reason: error.reason)
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
