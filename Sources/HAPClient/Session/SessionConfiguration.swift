package import HAP

/// Times and limits of an accessory session. The defaults suit accessories in a house; tests shorten them.
package struct SessionConfiguration: Sendable {
    /// How long one address is tried before the next.
    package var connectTimeout = Duration.seconds(5)
    /// How long pair-verify may take.
    package var verifyTimeout = Duration.seconds(10)
    /// How long an accessory may take to answer a request that was sent. After that the connection is given up.
    package var responseTimeout = Duration.seconds(10)
    /// How long a read, write or subscription may take from its submission, waiting included.
    package var requestDeadline = Duration.seconds(10)
    /// The wait between tries to connect: the first and the longest.
    package var reconnectDelay = Duration.seconds(1)...Duration.seconds(60)
    /// A connection that held for so long starts the waits anew, and its loss is followed by a try at once.
    package var stableAfter = Duration.seconds(30)
    /// How long an accessory may be silent before it is asked for a value, to see whether it is still there.
    package var probeAfter = Duration.seconds(60)
    /// The shortest time between two readings of the attributes on account of changed configuration numbers.
    package var rereadInterval = Duration.seconds(3)
    /// How long an accessory keeps a prepared write.
    package var preparedWriteLifetime = Duration.seconds(5)

    /// The most addresses that are tried one after the other, besides the one where the accessory was reached last.
    package var maximumAddresses = 8
    /// The most events in one second, lest an accessory gone wild keeps the controller busy.
    package var maximumEventsPerSecond = 1_000
    /// The most bytes of events' bodies in one second: each event is parsed on an event loop that sessions share.
    package var maximumEventBytesPerSecond = 1_048_576
    /// How much of a response and of an event is read.
    package var responseLimits = HTTPLimits.response
    /// The most characteristics in one request.
    package var maximumCharacteristicsPerRequest = 48
    /// The most bytes of a read's path and query, so that the request fits in one frame.
    package var maximumTargetLength = 900
    /// What makes the connections.
    package var connector = AccessoryConnector.tcp

    /// Creates a configuration with the defaults.
    package init() {}
}
