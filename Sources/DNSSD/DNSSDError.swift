/// A failure of multicast DNS or service discovery.
///
/// `code` is the kind of failure in machine-readable form. `reason` is human-readable; it says what is wrong and what
/// to do. Later versions may add codes.
public struct DNSSDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a ``DNSSDError``.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A stable name for the kind, such as `unknownInterface`.
        public let rawValue: String

        /// Creates a code from its stable name.
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
        /// An instance name, host name or subtype can't be represented in DNS.
        public static let invalidName = Code(rawValue: "invalidName")
        /// A service type isn't of the form `_name._tcp` or `_name._udp`.
        public static let invalidServiceType = Code(rawValue: "invalidServiceType")
        /// The key or the size of a TXT entry violates RFC 6763.
        public static let invalidTXT = Code(rawValue: "invalidTXT")
        /// A service was not resolved within the time limit.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The ``MulticastDNS`` was shut down, or the ``Advertisement`` was withdrawn.
        public static let closed = Code(rawValue: "closed")
        /// The calling task was canceled.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// A human-readable description of the failure.
    public let reason: String

    /// Creates an error.
    public init(_ code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The code and the reason.
    public var description: String { "\(code.rawValue): \(reason)" }
}
