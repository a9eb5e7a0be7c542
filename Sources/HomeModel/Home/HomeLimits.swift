/// The limits of a home. Limits are inclusive; a request that exceeds one fails with ``HomeError/Code/limitExceeded``
/// or, for names, ``HomeError/Code/nameTooLong``.
package enum HomeLimits {
    /// Characters of a name that a user gives: Unicode scalars in composed form (NFC).
    package static let nameLength = 64
    /// Characters that are stored of a string that an accessory reports, such as its name; the rest is cut off.
    package static let reportedTextLength = 256
    /// Homes in a user's own log.
    package static let homesPerUser = 100
    /// Rooms in a home, not counting the default room.
    package static let roomsPerHome = 500
    /// Zones in a home.
    package static let zonesPerHome = 500
    /// Accessories in a home, including bridges and absent accessories.
    package static let accessoriesPerHome = 20_000
    /// Accessories of one accessory server. HAP allows a bridge 149 bridged accessories; simulated bridges have more.
    package static let accessoriesPerServer = 10_000
    /// Services of an accessory. HAP allows 100.
    package static let servicesPerAccessory = 256
    /// Characteristics of a service. HAP allows 100.
    package static let characteristicsPerService = 256
    /// Valid values, or ranges of them, that are stored for a characteristic. A list that is longer is ignored.
    package static let validValuesPerCharacteristic = 1_024
    /// Service groups in a home.
    package static let serviceGroupsPerHome = 500
    /// Services in a service group.
    package static let servicesPerGroup = 1_000
    /// Action sets in a home, including trigger-owned but not built-in ones.
    package static let actionSetsPerHome = 1_000
    /// Actions in an action set.
    package static let actionsPerActionSet = 500
    /// Bytes of a string or of data in an action or a trigger, independent of the characteristic's own limit.
    package static let valueLength = 4_096
    /// Triggers in a home.
    package static let triggersPerHome = 1_000
    /// Triggers in a home that are removed once they have nothing left to do, such as those of sentences.
    package static let temporaryTriggersPerHome = 100
    /// Action sets of a trigger.
    package static let actionSetsPerTrigger = 100
    /// Events of a trigger. End events are counted separately.
    package static let eventsPerTrigger = 100
    /// Terms of a trigger's condition, including the terms that combine others.
    package static let termsPerCondition = 100
    /// Users that one event or condition names.
    package static let peoplePerPresence = 100
    /// The minimum time between two firings of a timer, in seconds: 5 minutes.
    package static let shortestRecurrence = 5 * 60
    /// The maximum time in seconds between two firings of a timer, and between enabling it and its first firing: 5
    /// weeks.
    package static let longestRecurrence = 5 * 7 * 24 * 60 * 60
    /// Minutes before or after sunrise or sunset: 12 hours.
    package static let sunOffset = 12 * 60
    /// Seconds until a duration end event: 24 hours.
    package static let duration = 24 * 60 * 60
    /// Meters of a region's radius, about half the Earth's circumference.
    package static let regionRadius = 20_000_000
    /// Users in a home, including the owner.
    package static let usersPerHome = 100
    /// Favorites of a user in a home.
    package static let favoritesPerHome = 500
    /// Services in a room whose order users can change.
    package static let orderedServicesPerRoom = 1_000
    /// Apps in a user's own log.
    package static let appsPerUser = 500
    /// Days for which a removed device is remembered.
    package static let removedDeviceDays = 90
    /// Removed devices of a user that are remembered. The oldest are forgotten first.
    package static let removedDevicesPerUser = 64
    /// Characters of an app's identifier.
    package static let appIdentifierLength = 256
    /// Characters that are stored of an app's purpose; the rest is cut off.
    package static let purposeLength = 1_024
    /// Bytes of an export to import, enough for about 40,000 accessories.
    package static let exportLength = 33_554_432
}
