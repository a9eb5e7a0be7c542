package import Foundation
package import HAPCatalog
package import HomeModel

/// What the hub tells without being asked. On one connection events and replies come in one order, and the reply to a
/// change follows the event of that change.
package enum HubEvent: Hashable, Sendable {
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
package struct Snapshot: Hashable, Sendable {
    /// A log's state.
    package struct Log: Hashable, Sendable, Codable {
        /// Changes when a log was restored from a copy.
        package var lineage: UUID
        /// How many entries the log has had.
        package var revision: Int
        /// The records in order of addition.
        package var records: [Record]
        /// Of a home's log, the ID of the person to whom it is shown among the home's people; `nil` of the person's own log.
        package var user: UUID?

        /// Makes a log's state.
        package init(lineage: UUID, revision: Int, records: [Record], user: UUID? = nil) {
            self.lineage = lineage
            self.revision = revision
            self.records = records
            self.user = user
        }
    }

    /// The user's own log.
    package var account: Log
    /// The homes that the user has a part in, by id.
    package var homes: [UUID: Log]
    /// The known values.
    package var values: KnownValues
    /// Every accessory, reachable or not.
    package var reachability: [ReachabilityUpdate]

    /// Makes a snapshot.
    package init(account: Log, homes: [UUID: Log], values: KnownValues, reachability: [ReachabilityUpdate]) {
        self.account = account
        self.homes = homes
        self.values = values
        self.reachability = reachability
    }
}

/// What holds only for the moment.
package struct LiveSnapshot: Hashable, Sendable {
    /// The known values.
    package var values: KnownValues
    /// Every accessory, reachable or not.
    package var reachability: [ReachabilityUpdate]

    /// Makes a picture of the moment.
    package init(values: KnownValues, reachability: [ReachabilityUpdate]) {
        self.values = values
        self.reachability = reachability
    }
}

/// An entry as clients see it: without devices, and with people under aliases.
package struct LogChange: Hashable, Sendable, Codable {
    /// The home whose log it is; nil for the user's own log.
    package var home: UUID?
    /// The log's lineage.
    package var lineage: UUID
    /// The log's revision with this change.
    package var revision: Int
    /// What happened.
    package var change: Change
    /// Whether this connection asked for it.
    package var isMine: Bool
    /// Of a change that brings a home, the ID of the person to whom it is shown among the home's people; `nil` of others.
    package var user: UUID?

    /// Makes a change for a client.
    package init(home: UUID?, lineage: UUID, revision: Int, change: Change, isMine: Bool, user: UUID? = nil) {
        self.home = home
        self.lineage = lineage
        self.revision = revision
        self.change = change
        self.isMine = isMine
        self.user = user
    }
}

/// The value of a characteristic.
package struct ValueUpdate: Hashable, Sendable {
    /// The home.
    package var home: UUID
    /// The characteristic.
    package var characteristic: CharacteristicReference
    /// The value; nil for one that has none to show (a button press carries its value).
    package var value: CharacteristicValue?

    /// Makes an update.
    package init(home: UUID, characteristic: CharacteristicReference, value: CharacteristicValue?) {
        self.home = home
        self.characteristic = characteristic
        self.value = value
    }
}

/// Whether an accessory can be reached.
package struct ReachabilityUpdate: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The accessory.
    package var accessory: UUID
    /// Whether it can be reached.
    package var isReachable: Bool
    /// Why not, for people and logs; nil while it can be reached.
    package var cause: String?
    /// The cause in one word; nil while it can be reached, and from hubs that do not tell it.
    package var code: HubError.Code?
    /// The cause more exactly; nil while it can be reached, and from hubs that do not tell it.
    package var trouble: AccessoryTrouble?

    /// Makes an update.
    package init(
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
    package init(home: UUID, accessory: UUID, because error: HubError) {
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
    package var error: HubError? {
        isReachable ? nil : HubError(code ?? .notReachable, cause ?? "", trouble: trouble)
    }
}

/// An accessory server on the network that is in no home of this hub.
package struct DiscoveredAccessory: Hashable, Sendable, Codable, Identifiable {
    /// An identity for the time that it is seen; the accessory keeps it when it joins a home.
    package var id: UUID
    /// The name that it advertises.
    package var name: String
    /// The HAP device id.
    package var deviceID: String
    /// The model that it advertises.
    package var model: String
    /// The category that it advertises.
    package var category: AccessoryCategory
    /// Whether it is paired with some controller already.
    package var isPaired: Bool

    /// Makes a discovered accessory.
    package init(
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
