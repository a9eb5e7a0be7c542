/// Names something that the hub keeps about itself. Kept open.
package struct MetadataKey: Hashable, Sendable, RawRepresentable {
    /// The key's name in the database.
    package var rawValue: String

    /// Creates a key from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The identity of the user whose hub it is.
    package static let hubUser = MetadataKey(rawValue: "hubUser")
    /// The identity of the hub as a device.
    package static let hubDevice = MetadataKey(rawValue: "hubDevice")
    /// The sockets that were opened for apps. They are those of one machine: a restored copy has none.
    package static let appSockets = MetadataKey(rawValue: "appSockets")
    /// The sort of clock that the data folder was made with; it opens with no other.
    package static let clock = MetadataKey(rawValue: "clock")
    /// A number that is larger in a data folder that is to go on in place of others with the same homes; none means 0.
    package static let generation = MetadataKey(rawValue: "generation")
    /// When the hub was started last, in milliseconds since 1970.
    package static let lastStart = MetadataKey(rawValue: "lastStart")
    /// That another hub goes on in place of this data folder's.
    package static let succession = MetadataKey(rawValue: "succession")
}
