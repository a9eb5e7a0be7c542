/// The times and limits of firings of two hubs.
package enum FiringTimes {
    /// How long after it fell due an occurrence may be carried out.
    package static let lateness = Duration.seconds(10)
    /// How long a prepared write is valid at an accessory.
    package static let preparedWrite = Duration.milliseconds(2_500)
    /// The time after a takeover in which events don't fire: the former leader got them too, and may have claimed them.
    package static let ignoredEvents = Duration.seconds(2)
    /// The maximum number of occurrences that a hub remembers at a time. It gives up the oldest ones beyond.
    package static let rememberedOccurrences = 4_096
}
