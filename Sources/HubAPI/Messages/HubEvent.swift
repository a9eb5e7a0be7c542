package import Foundation
package import HAPCatalog
package import HomeModel

/// A message that the hub sends without a request.
///
/// On a connection, events and replies share one order. The reply to a change follows the event of that change.
///
/// It is indirect because it passes through several hands on its way to each of many clients, and is large.
package indirect enum HubEvent: Hashable, Sendable {
    /// The full state, which replaces everything that the client knew.
    ///
    /// The hub sends it before the reply to ``HubMethods/hello``. It also sends it to a client that was in the
    /// background, or that didn't read its messages, in place of all missed events.
    case reset(Snapshot)
    /// The client is up to date: all changes that it missed precede this event. The hub sends it instead of a reset.
    case resumed(LiveSnapshot)
    /// A log has a new entry.
    case change(LogChange)
    /// The user no longer has access to a home.
    case homeGone(UUID)
    /// Values of characteristics: changes that this connection subscribed to, and all values of an accessory that joins
    /// the home or returns to it.
    case values([ValueUpdate])
    /// Accessories that have become reachable or unreachable.
    case reachability([ReachabilityUpdate])
    /// An accessory that isn't in a home is on the network, or its advertisement changed. Sent only while browsing.
    case discovered(DiscoveredAccessory)
    /// A discovered accessory is gone, or has joined a home. Sent only while browsing.
    case discoveryLost(UUID)
    /// An accessory that isn't on a network is visible, or its advertisement changed. Sent only while browsing for such
    /// accessories.
    case unconfigured(UnconfiguredAccessory)
    /// An accessory that wasn't on a network is gone, or is joining one. Sent only while browsing for such accessories.
    case unconfiguredLost(UUID)
    /// A question is waiting for an answer.
    case asked(Question)
    /// A question was answered, declined or has expired.
    case questionClosed(UUID)
    /// The guided setup that this connection started has come to its next step.
    case setupProgress(SetupProgress)
    /// Action sets began or ended a run, or triggers fired.
    case runs([RunUpdate])
    /// The journal has a new entry. Sent only after ``HubMethods/followJournal``.
    case journal(JournalEntry)
    /// What plays on the hub's machine has changed, or the receivers there are. Sent only after
    /// ``HubMethods/followMedia``.
    case media(MediaState)
    /// A hub of the agent's has come into reach or is out of it. Only an agent sends it.
    case standing(HubStanding)
    /// Another device of the user's has sent a message. Sent only to an agent's own session.
    case deviceMessage(DeviceMessage)
    /// The user's feed is at another place, or at none. Sent only to an agent's own session.
    case feed(FeedStanding)
}

/// Everything that a client has access to, at one point in time.
package struct Snapshot: Hashable, Sendable {
    /// A log's state.
    package struct Log: Hashable, Sendable, Codable {
        /// The log's lineage, which changes when the log is restored from a copy.
        package var lineage: UUID
        /// The number of entries that the log has had.
        package var revision: Int
        /// The records, in the order in which they were added.
        package var records: [Record]
        /// In a home's log, the client's user ID in that home; `nil` in the user's own log.
        package var user: UUID?

        /// Creates a log's state.
        package init(lineage: UUID, revision: Int, records: [Record], user: UUID? = nil) {
            self.lineage = lineage
            self.revision = revision
            self.records = records
            self.user = user
        }
    }

    /// The user's own log.
    package var account: Log
    /// The homes that the user is a member of, by ID.
    package var homes: [UUID: Log]
    /// The known values.
    package var values: KnownValues
    /// The reachability of every accessory.
    package var reachability: [ReachabilityUpdate]
    /// The last runs of action sets and triggers.
    package var runs: [RunUpdate]

    /// Creates a snapshot.
    package init(
        account: Log,
        homes: [UUID: Log],
        values: KnownValues,
        reachability: [ReachabilityUpdate],
        runs: [RunUpdate] = []
    ) {
        self.account = account
        self.homes = homes
        self.values = values
        self.reachability = reachability
        self.runs = runs
    }
}

/// The state that isn't in any log.
package struct LiveSnapshot: Hashable, Sendable {
    /// The known values.
    package var values: KnownValues
    /// The reachability of every accessory.
    package var reachability: [ReachabilityUpdate]
    /// The last runs of action sets and triggers.
    package var runs: [RunUpdate]

    /// Creates a live snapshot.
    package init(values: KnownValues, reachability: [ReachabilityUpdate], runs: [RunUpdate] = []) {
        self.values = values
        self.reachability = reachability
        self.runs = runs
    }
}

/// A log entry as clients see it: without devices, and with users under aliases.
package struct LogChange: Hashable, Sendable, Decodable {
    /// The home whose log it is; `nil` for the user's own log.
    package var home: UUID?
    /// The log's lineage.
    package var lineage: UUID
    /// The log's revision with this change.
    package var revision: Int
    /// The change.
    package var change: Change
    /// Whether this connection requested the change.
    package var isMine: Bool
    /// The client's user ID in the home, if the change adds a home for the client; otherwise `nil`.
    package var user: UUID?

    /// Creates a log change.
    package init(home: UUID?, lineage: UUID, revision: Int, change: Change, isMine: Bool, user: UUID? = nil) {
        self.home = home
        self.lineage = lineage
        self.revision = revision
        self.change = change
        self.isMine = isMine
        self.user = user
    }
}

/// A characteristic's value.
package struct ValueUpdate: Hashable, Sendable {
    /// The ID of the home.
    package var home: UUID
    /// The characteristic.
    package var characteristic: CharacteristicReference
    /// The value; `nil` if there is none to show. The event of a button press has one.
    package var value: CharacteristicValue?

    /// Creates an update.
    package init(home: UUID, characteristic: CharacteristicReference, value: CharacteristicValue?) {
        self.home = home
        self.characteristic = characteristic
        self.value = value
    }
}

/// An accessory's reachability.
package struct ReachabilityUpdate: Hashable, Sendable, Codable {
    /// The ID of the home.
    package var home: UUID
    /// The ID of the accessory.
    package var accessory: UUID
    /// Whether the accessory is reachable.
    package var isReachable: Bool
    /// Why the accessory can't be reached, as human-readable text; `nil` while it is reachable.
    package var cause: String?
    /// Why the accessory can't be reached, as a code; `nil` while it is reachable, and from hubs that don't send it.
    package var code: HubError.Code?
    /// The problem with the accessory; `nil` while it is reachable, and from hubs that don't send it.
    package var trouble: AccessoryTrouble?

    /// Creates an update.
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

    /// Creates an update for an accessory that can't be reached.
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

    /// The error for requests that need the accessory; `nil` while it is reachable.
    package var error: HubError? {
        isReachable ? nil : HubError(code ?? .notReachable, cause ?? "", trouble: trouble)
    }
}

/// An accessory server on the network that isn't in any of this hub's homes.
package struct DiscoveredAccessory: Hashable, Sendable, Codable, Identifiable {
    /// An ID that lasts while the accessory is visible; the accessory keeps it when it joins a home.
    package var id: UUID
    /// The advertised name.
    package var name: String
    /// The HAP device ID.
    package var deviceID: String
    /// The advertised model.
    package var model: String
    /// The advertised category.
    package var category: AccessoryCategory
    /// Whether the accessory is already paired with a controller.
    package var isPaired: Bool

    /// Creates a discovered accessory.
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
