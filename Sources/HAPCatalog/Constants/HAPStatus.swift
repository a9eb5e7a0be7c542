/// The outcome of one read or write, or of a whole request, in a message's `status`. Unknown numbers are preserved.
/// Source: HAP specification, table 6-11.
public struct HAPStatus: RawRepresentable, Hashable, Codable, Sendable {
    /// The number on the wire, which is 0 or negative.
    public let rawValue: Int

    /// Creates a status from its number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates a status from a number that an accessory sent, with or without its minus sign.
    public init(lenient number: Int) {
        rawValue = number > 0 ? -number : number
    }

    /// The request succeeded.
    public static let success = HAPStatus(rawValue: 0)
    /// The controller lacks the required privileges.
    public static let insufficientPrivileges = HAPStatus(rawValue: -70401)
    /// The accessory can't perform the operation, because its device, power or sensor can't be reached.
    public static let unableToPerform = HAPStatus(rawValue: -70402)
    /// The resource is busy; try again.
    public static let busy = HAPStatus(rawValue: -70403)
    /// The characteristic is read-only.
    public static let readOnly = HAPStatus(rawValue: -70404)
    /// The characteristic is write-only.
    public static let writeOnly = HAPStatus(rawValue: -70405)
    /// The characteristic doesn't support events.
    public static let notificationNotSupported = HAPStatus(rawValue: -70406)
    /// The accessory is out of resources.
    public static let outOfResources = HAPStatus(rawValue: -70407)
    /// The operation took too long.
    public static let timedOut = HAPStatus(rawValue: -70408)
    /// The accessory, service or characteristic doesn't exist.
    public static let noSuchResource = HAPStatus(rawValue: -70409)
    /// The value is missing or invalid for the characteristic.
    public static let invalidValue = HAPStatus(rawValue: -70410)
    /// The connection or the authorization data doesn't permit the operation.
    public static let insufficientAuthorization = HAPStatus(rawValue: -70411)
    /// The operation is not allowed in the accessory's current state.
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

    /// The number and, if known, its meaning.
    public var description: String {
        Self.names[self].map { "\($0) (\(rawValue))" } ?? "status \(rawValue)"
    }
}
