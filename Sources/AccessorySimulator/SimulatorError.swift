internal import HAPServer

/// Why the simulator could not read a file, host an accessory or do what it was asked.
///
/// `code` says what kind of failure it is and is meant for programs; `reason` names what was wrong and what to do about
/// it, and is meant for people. The set of codes is open: those of `AccessoryServerError` occur as well.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a ``SimulatorError``.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable word for the kind, such as `invalidFile`.
        public let rawValue: String

        /// Creates a code from its stable word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A file could not be read.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// A file is no accessory or scenario file, or a scenario contradicts itself. The reason names file, line and field.
        public static let invalidFile = Code(rawValue: "invalidFile")
        /// Two accessories have the same serial number, or the configuration asks for something impossible.
        public static let invalidConfiguration = Code(rawValue: "invalidConfiguration")
        /// No simulated accessory, service or characteristic has that name.
        public static let notFound = Code(rawValue: "notFound")
        /// More than one simulated accessory or service has that name.
        public static let ambiguous = Code(rawValue: "ambiguous")
        /// The characteristic cannot have that value.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// A request of the control has no known method.
        public static let unknownMethod = Code(rawValue: "unknownMethod")
        /// A request of the control is not of the form that its method asks for. The reason names the field.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// An edit breaks a rule: what it would remove is required, or what it would add is there already.
        public static let notAllowed = Code(rawValue: "notAllowed")
        /// A fault's line cannot be read, or the accessory cannot have the fault.
        public static let invalidFault = Code(rawValue: "invalidFault")
        /// The simulator was started or stopped before.
        public static let wrongState = Code(rawValue: "wrongState")
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

    /// Takes over an error of a server.
    init(_ error: AccessoryServerError) {
        self.init(Code(rawValue: error.code.rawValue), reason: error.reason)
    }

    /// The reason, preceded by the code's word.
    public var description: String { "\(code.rawValue): \(reason)" }
}
