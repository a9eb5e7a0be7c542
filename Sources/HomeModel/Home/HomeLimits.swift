/// Every limit of a home, in one place. The limit itself is allowed; one more is refused with
/// ``HomeError/Code/limitExceeded`` or, for names, ``HomeError/Code/nameTooLong``.
package enum HomeLimits {
    /// Characters of a name that a person gives: Unicode scalars of the composed form (NFC).
    package static let nameLength = 64
    /// Characters that are kept of a text that an accessory reports (its name, its maker's); the rest is cut.
    package static let reportedTextLength = 256
    /// Homes in a user's own log.
    package static let homesPerUser = 100
    /// Rooms in a home, the default room not counted.
    package static let roomsPerHome = 500
    /// Zones in a home.
    package static let zonesPerHome = 500
    /// Accessories in a home, bridges and absent ones included.
    package static let accessoriesPerHome = 20_000
    /// Accessories behind one accessory server. HAP allows a bridge 149 bridged ones; simulated bridges have more.
    package static let accessoriesPerServer = 10_000
    /// Services of an accessory. HAP allows 100.
    package static let servicesPerAccessory = 256
    /// Characteristics of a service. HAP allows 100.
    package static let characteristicsPerService = 256
    /// Valid values, or ranges of them, that are kept of a characteristic; one that states more is taken to state none.
    package static let validValuesPerCharacteristic = 1_024
    /// Service groups in a home.
    package static let serviceGroupsPerHome = 500
    /// Services in a service group.
    package static let servicesPerGroup = 1_000
    /// Action sets in a home, trigger-owned ones included, built-in ones not.
    package static let actionSetsPerHome = 1_000
    /// Actions in an action set.
    package static let actionsPerActionSet = 500
    /// Bytes of a text or of data that an action writes or a trigger compares with, whatever its characteristic takes.
    package static let valueLength = 4_096
    /// Triggers in a home.
    package static let triggersPerHome = 1_000
    /// Action sets of a trigger.
    package static let actionSetsPerTrigger = 100
    /// Events of a trigger; end events count by themselves.
    package static let eventsPerTrigger = 100
    /// Terms of a trigger's condition, those that join others included.
    package static let termsPerCondition = 100
    /// People that one event or condition names.
    package static let peoplePerPresence = 100
    /// Seconds from one firing of a timer to the next, at least: 5 minutes.
    package static let shortestRecurrence = 5 * 60
    /// Seconds from one firing of a timer to the next, at most, and from its being enabled to its first: 5 weeks.
    package static let longestRecurrence = 5 * 7 * 24 * 60 * 60
    /// Minutes before or after sunrise and sunset: 12 hours.
    package static let sunOffset = 12 * 60
    /// Seconds after which an end event may come: 24 hours.
    package static let duration = 24 * 60 * 60
    /// Metres of a region's radius: more than half way round the Earth is no region.
    package static let regionRadius = 20_000_000
    /// People in a home, the owner included.
    package static let usersPerHome = 100
    /// Apps in a user's own log.
    package static let appsPerUser = 500
    /// Characters of an app's identifier.
    package static let appIdentifierLength = 256
    /// Characters that are kept of what an app says it needs the homes for; the rest is cut.
    package static let purposeLength = 1_024
    /// Bytes of an export that is imported: some 40,000 accessories. More is ``HomeError/Code/limitExceeded``.
    package static let exportLength = 33_554_432
}
