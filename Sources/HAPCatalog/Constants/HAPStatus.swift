/// The outcome of one read or write, or of a whole request, in a message's `status`. Numbers that are not listed are
/// kept. Source: HAP specification, table 6-11.
public struct HAPStatus: RawRepresentable, Hashable, Codable, Sendable {
    /// The number on the wire: 0 or negative.
    public let rawValue: Int

    /// Creates a status from its number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates a status from what an accessory sent: some send the numbers without their sign.
    public init(lenient number: Int) {
        rawValue = number > 0 ? -number : number
    }

    /// Done.
    public static let success = HAPStatus(rawValue: 0)
    /// The request was denied for want of privileges.
    public static let insufficientPrivileges = HAPStatus(rawValue: -70401)
    /// The accessory cannot perform it: its device, power or sensor cannot be reached.
    public static let unableToPerform = HAPStatus(rawValue: -70402)
    /// The resource is busy: try again.
    public static let busy = HAPStatus(rawValue: -70403)
    /// A write to what can only be read.
    public static let readOnly = HAPStatus(rawValue: -70404)
    /// A read of what can only be written.
    public static let writeOnly = HAPStatus(rawValue: -70405)
    /// The characteristic sends no events.
    public static let notificationNotSupported = HAPStatus(rawValue: -70406)
    /// Out of resources.
    public static let outOfResources = HAPStatus(rawValue: -70407)
    /// The operation took too long.
    public static let timedOut = HAPStatus(rawValue: -70408)
    /// There is no such accessory, service or characteristic.
    public static let noSuchResource = HAPStatus(rawValue: -70409)
    /// The value is not one that the characteristic can have, or the request carries none.
    public static let invalidValue = HAPStatus(rawValue: -70410)
    /// The connection or the authorization data do not permit it.
    public static let insufficientAuthorization = HAPStatus(rawValue: -70411)
    /// The accessory cannot do it in the state that it is in.
    public static let notAllowedInCurrentState = HAPStatus(rawValue: -70412)

    /// Whether it is ``success``.
    public var isSuccess: Bool { self == .success }
}

extension HAPStatus: CustomStringConvertible {
    private static let names: [HAPStatus: String] = [
        .success: "success",
        .insufficientPrivileges: "insufficient privileges",
        .unableToPerform: "unable to perform, device unreachable",
        .busy: "busy",
        .readOnly: "read-only",
        .writeOnly: "write-only",
        .notificationNotSupported: "notification not supported",
        .outOfResources: "out of resources",
        .timedOut: "timed out",
        .noSuchResource: "no such resource",
        .invalidValue: "invalid value",
        .insufficientAuthorization: "insufficient authorization",
        .notAllowedInCurrentState: "not allowed in the current state",
    ]

    /// The number and, if it is listed, its meaning.
    public var description: String {
        Self.names[self].map { "\($0) (\(rawValue))" } ?? "status \(rawValue)"
    }
}
