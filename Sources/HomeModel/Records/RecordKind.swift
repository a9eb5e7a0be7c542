/// What a record describes. Kept open so that a record of a newer version survives.
public struct RecordKind: Hashable, Sendable, Codable, RawRepresentable {
    /// The kind's name in logs and messages.
    public var rawValue: String

    /// Wraps a kind's name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A ``HomeRecord``.
    public static let home = RecordKind(rawValue: "home")
    /// A ``UserRecord``.
    public static let user = RecordKind(rawValue: "user")
    /// A ``RoomRecord``.
    public static let room = RecordKind(rawValue: "room")
    /// A ``ZoneRecord``.
    public static let zone = RecordKind(rawValue: "zone")
    /// A ``ShapeRecord``.
    public static let shape = RecordKind(rawValue: "shape")
    /// An ``AccessoryRecord``.
    public static let accessory = RecordKind(rawValue: "accessory")
    /// A ``ServiceGroupRecord``.
    public static let serviceGroup = RecordKind(rawValue: "serviceGroup")
    /// An ``ActionSetRecord``.
    public static let actionSet = RecordKind(rawValue: "actionSet")
    /// A ``TriggerRecord``.
    public static let trigger = RecordKind(rawValue: "trigger")
    /// An ``AccountAppRecord``.
    public static let accountApp = RecordKind(rawValue: "accountApp")
    /// An ``AccountHomeRecord``.
    public static let accountHome = RecordKind(rawValue: "accountHome")
}
