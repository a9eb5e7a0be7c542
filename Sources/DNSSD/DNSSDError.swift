/// A failure of multicast DNS or service discovery.
///
/// `code` says what kind of failure it is and is meant for programs; `reason` names what was wrong and what to do about
/// it, and is meant for people. The set of codes is open: new ones may appear.
public struct DNSSDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a ``DNSSDError``.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable word for the kind, such as `unknownInterface`.
        public let rawValue: String

        /// Creates a code from its stable word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No interface of this host has the requested name or address.
        public static let unknownInterface = Code(rawValue: "unknownInterface")
        /// No interface is up and able to carry multicast DNS.
        public static let noUsableInterface = Code(rawValue: "noUsableInterface")
        /// The system refused UDP port 5353.
        public static let portRefused = Code(rawValue: "portRefused")
        /// The system refused a socket, an option or a group membership that multicast DNS needs.
        public static let socketRefused = Code(rawValue: "socketRefused")
        /// An instance name, host name or subtype cannot be written in DNS.
        public static let invalidName = Code(rawValue: "invalidName")
        /// A service type is not of the form `_name._tcp` or `_name._udp`.
        public static let invalidServiceType = Code(rawValue: "invalidServiceType")
        /// A TXT entry's key or size is outside what RFC 6763 allows.
        public static let invalidTXT = Code(rawValue: "invalidTXT")
        /// A service was not resolved within the time given.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The ``MulticastDNS`` has been shut down, or the ``Advertisement`` withdrawn.
        public static let closed = Code(rawValue: "closed")
        /// The calling task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
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
