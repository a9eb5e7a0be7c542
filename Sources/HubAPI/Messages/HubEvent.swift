public import Foundation
public import HAPCatalog
public import HomeModel

/// What the hub tells without being asked. On one connection events and replies come in one order, and the reply to a
/// change follows the event of that change.
public enum HubEvent: Hashable, Sendable {
    /// Everything anew: forget what you knew. It comes before the reply to ``HubMethods/hello``, and to a client that
    /// was in the background, or did not read what it was sent, in place of all that it missed.
    case reset(Snapshot)
    /// The client goes on where it was: all changes that it missed have come before. It takes the place of a reset.
    case resumed(LiveSnapshot)
    /// A log has a new entry.
    case change(LogChange)
    /// A home is to be seen no more by this user.
    case homeGone(UUID)
    /// Values of characteristics: changes that this connection asked for, and all values of an accessory that comes into
    /// the home or back to it.
    case values([ValueUpdate])
    /// Accessories that can or cannot be reached now.
    case reachability([ReachabilityUpdate])
    /// An accessory that is in no home is on the network, or what it advertises changed. Only while browsing.
    case discovered(DiscoveredAccessory)
    /// It is there no more, or it has joined a home. Only while browsing.
    case discoveryLost(UUID)
    /// A question waits for an answer.
    case asked(Question)
    /// A question was answered, declined or has expired.
    case questionClosed(UUID)
}

/// All that a client may see, at one moment.
public struct Snapshot: Hashable, Sendable {
    /// A log's state.
    public struct Log: Hashable, Sendable, Codable {
        /// Changes when a log was restored from a copy.
        public var lineage: UUID
        /// How many entries the log has had.
        public var revision: Int
        /// The records in order of addition.
        public var records: [Record]
        /// Of a home's log, the ID of the person to whom it is shown among the home's people; `nil` of the person's own log.
        public var user: UUID?

        /// Makes a log's state.
        public init(lineage: UUID, revision: Int, records: [Record], user: UUID? = nil) {
            self.lineage = lineage
            self.revision = revision
            self.records = records
            self.user = user
        }
    }

    /// The user's own log.
    public var account: Log
    /// The homes that the user has a part in, by id.
    public var homes: [UUID: Log]
    /// The known values.
    public var values: KnownValues
    /// Every accessory, reachable or not.
    public var reachability: [ReachabilityUpdate]

    /// Makes a snapshot.
    public init(account: Log, homes: [UUID: Log], values: KnownValues, reachability: [ReachabilityUpdate]) {
        self.account = account
        self.homes = homes
        self.values = values
        self.reachability = reachability
    }
}

/// What holds only for the moment.
public struct LiveSnapshot: Hashable, Sendable {
    /// The known values.
    public var values: KnownValues
    /// Every accessory, reachable or not.
    public var reachability: [ReachabilityUpdate]

    /// Makes a picture of the moment.
    public init(values: KnownValues, reachability: [ReachabilityUpdate]) {
        self.values = values
        self.reachability = reachability
    }
}

/// An entry as clients see it: without devices, and with people under aliases.
public struct LogChange: Hashable, Sendable, Codable {
    /// The home whose log it is; nil for the user's own log.
    public var home: UUID?
    /// The log's lineage.
    public var lineage: UUID
    /// The log's revision with this change.
    public var revision: Int
    /// What happened.
    public var change: Change
    /// Whether this connection asked for it.
    public var isMine: Bool
    /// Of a change that brings a home, the ID of the person to whom it is shown among the home's people; `nil` of others.
    public var user: UUID?

    /// Makes a change for a client.
    public init(home: UUID?, lineage: UUID, revision: Int, change: Change, isMine: Bool, user: UUID? = nil) {
        self.home = home
        self.lineage = lineage
        self.revision = revision
        self.change = change
        self.isMine = isMine
        self.user = user
    }
}

/// The value of a characteristic.
public struct ValueUpdate: Hashable, Sendable {
    /// The home.
    public var home: UUID
    /// The characteristic.
    public var characteristic: CharacteristicReference
    /// The value; nil for one that has none to show (a button press carries its value).
    public var value: CharacteristicValue?

    /// Makes an update.
    public init(home: UUID, characteristic: CharacteristicReference, value: CharacteristicValue?) {
        self.home = home
        self.characteristic = characteristic
        self.value = value
    }
}

/// Whether an accessory can be reached.
public struct ReachabilityUpdate: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The accessory.
    public var accessory: UUID
    /// Whether it can be reached.
    public var isReachable: Bool
    /// Why not, for people and logs; nil while it can be reached.
    public var cause: String?
    /// The cause in one word; nil while it can be reached, and from hubs that do not tell it.
    public var code: HubError.Code?
    /// The cause more exactly; nil while it can be reached, and from hubs that do not tell it.
    public var trouble: AccessoryTrouble?

    /// Makes an update.
    public init(
        home: UUID,
        accessory: UUID,
        isReachable: Bool,
        cause: String? = nil,
        code: HubError.Code? = nil,
        trouble: AccessoryTrouble? = nil
    ) {
        self.home = home
        self.accessory = accessory
        self.isReachable = isReachable
        self.cause = cause
        self.code = code
        self.trouble = trouble
    }

    /// Makes the update of an accessory that cannot be reached.
    public init(home: UUID, accessory: UUID, because error: HubError) {
        self.init(
            home: home,
            accessory: accessory,
            isReachable: false,
            cause: error.reason,
            code: error.code,
            trouble: error.trouble
        )
    }

    /// Why what needs the accessory fails; nil while it can be reached.
    public var error: HubError? {
        isReachable ? nil : HubError(code ?? .notReachable, cause ?? "", trouble: trouble)
    }
}

/// An accessory server on the network that is in no home of this hub.
public struct DiscoveredAccessory: Hashable, Sendable, Codable, Identifiable {
    /// An identity for the time that it is seen; the accessory keeps it when it joins a home.
    public var id: UUID
    /// The name that it advertises.
    public var name: String
    /// The HAP device id.
    public var deviceID: String
    /// The model that it advertises.
    public var model: String
    /// The category that it advertises.
    public var category: AccessoryCategory
    /// Whether it is paired with some controller already.
    public var isPaired: Bool

    /// Makes a discovered accessory.
    public init(
        id: UUID,
        name: String,
        deviceID: String,
        model: String,
        category: AccessoryCategory,
        isPaired: Bool
    ) {
        self.id = id
        self.name = name
        self.deviceID = deviceID
        self.model = model
        self.category = category
        self.isPaired = isPaired
    }
}
