/// The kind of a record. Unknown values are preserved.
package struct RecordKind: Hashable, Sendable, Codable, RawRepresentable {
    /// The kind's name in logs and messages.
    package var rawValue: String

    /// Creates a kind from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A ``HomeRecord``.
    package static let home = RecordKind(rawValue: "home")
    /// A ``UserRecord``.
    package static let user = RecordKind(rawValue: "user")
    /// A ``RoomRecord``.
    package static let room = RecordKind(rawValue: "room")
    /// A ``ZoneRecord``.
    package static let zone = RecordKind(rawValue: "zone")
    /// A ``ShapeRecord``.
    package static let shape = RecordKind(rawValue: "shape")
    /// An ``AccessoryRecord``.
    package static let accessory = RecordKind(rawValue: "accessory")
    /// A ``ServiceGroupRecord``.
    package static let serviceGroup = RecordKind(rawValue: "serviceGroup")
    /// An ``ActionSetRecord``.
    package static let actionSet = RecordKind(rawValue: "actionSet")
    /// A ``TriggerRecord``.
    package static let trigger = RecordKind(rawValue: "trigger")
    /// An ``OrderRecord``.
    package static let order = RecordKind(rawValue: "order")
    /// An ``AccountFavoritesRecord``.
    package static let accountFavorites = RecordKind(rawValue: "accountFavorites")
    /// An ``AccountAppRecord``.
    package static let accountApp = RecordKind(rawValue: "accountApp")
    /// An ``AccountDeviceRecord``.
    package static let accountDevice = RecordKind(rawValue: "accountDevice")
    /// An ``AccountHomeRecord``.
    package static let accountHome = RecordKind(rawValue: "accountHome")
}
