/// The key of a value in the hub's metadata. Unknown values are preserved.
package struct MetadataKey: Hashable, Sendable, RawRepresentable {
    /// The key's name in the database.
    package var rawValue: String

    /// Creates a key from its name.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The ID of the hub's user.
    package static let hubUser = MetadataKey(rawValue: "hubUser")
    /// The ID of the hub as a device.
    package static let hubDevice = MetadataKey(rawValue: "hubDevice")
    /// The sockets that were opened for apps. They belong to one machine and are not restored from a copy.
    package static let appSockets = MetadataKey(rawValue: "appSockets")
    /// The kind of clock that the data folder was created with. The hub opens it only with the same kind.
    package static let clock = MetadataKey(rawValue: "clock")
    /// The time of a manual clock, in milliseconds since 1970.
    package static let manualTime = MetadataKey(rawValue: "manualTime")
    /// A time at which the hub's automations were running, in milliseconds since 1970. It is at most some minutes old
    /// when the hub stops.
    package static let automationsTime = MetadataKey(rawValue: "automationsTime")
    /// The generation of the data folder. Of several hubs with the same homes, the one with the highest number takes
    /// over. A missing value means 0.
    package static let generation = MetadataKey(rawValue: "generation")
    /// When devices last used the hub, and by which way.
    package static let deviceUses = MetadataKey(rawValue: "deviceUses")
    /// The port at which the hub listens for devices.
    package static let networkPort = MetadataKey(rawValue: "networkPort")
    /// The signed list of the hubs that keep the homes.
    package static let hubs = MetadataKey(rawValue: "hubs")
    /// The signed lists before that one, for devices that missed some of them.
    package static let hubLists = MetadataKey(rawValue: "hubLists")
    /// The addresses at which the other hub of the homes was last.
    package static let hubAddresses = MetadataKey(rawValue: "hubAddresses")
    /// The hub's name, by which people tell two hubs apart.
    package static let hubName = MetadataKey(rawValue: "hubName")
    /// What the other hub of the homes has told of itself.
    package static let otherHub = MetadataKey(rawValue: "otherHub")
    /// The hubs that were removed while they couldn't be told.
    package static let formerHubs = MetadataKey(rawValue: "formerHubs")
    /// The hub that this one is joining, until it has the homes.
    package static let joining = MetadataKey(rawValue: "joining")
    /// The time of the hub's last start, in milliseconds since 1970.
    package static let lastStart = MetadataKey(rawValue: "lastStart")
    /// What is known of later changes of this hub's, which its data lacks because it was set back.
    package static let setback = MetadataKey(rawValue: "setback")
    /// How a person has let the hub go on after it was set back, until its journal has that.
    package static let settlement = MetadataKey(rawValue: "settlement")
    /// The hub's last starts, by which it knows what it has written to feeds from what a copy of its data has.
    package static let feedRuns = MetadataKey(rawValue: "feedRuns")
    /// The hub that has taken over from this data folder's hub.
    package static let succession = MetadataKey(rawValue: "succession")

    /// The keys whose values both of two hubs have. All others are one hub's own.
    package static let shared: [MetadataKey] = [.hubUser, .generation]
    /// Whether both of two hubs have the value.
    package var isShared: Bool { Self.shared.contains(self) }
}
