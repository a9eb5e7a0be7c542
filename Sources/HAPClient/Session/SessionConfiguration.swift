package import HAP

/// The timeouts and limits of an accessory session. The defaults suit a home network; tests use shorter ones.
package struct SessionConfiguration: Sendable {
    /// The maximum time for connecting to one address.
    package var connectTimeout = Duration.seconds(5)
    /// The maximum time for pair-verify.
    package var verifyTimeout = Duration.seconds(10)
    /// The maximum time for the response to a request. After it, the connection is closed.
    package var responseTimeout = Duration.seconds(10)
    /// The maximum time for a read, write or subscription from its submission, including the time in the queue.
    package var requestDeadline = Duration.seconds(10)
    /// The minimum and maximum delay between attempts to connect.
    package var reconnectDelay = Duration.seconds(1)...Duration.seconds(60)
    /// The time after which a connection counts as stable. The delays are then reset, and if the connection is lost,
    /// the session reconnects immediately.
    package var stableAfter = Duration.seconds(30)
    /// The idle time after which the session reads a value to check that the accessory still responds.
    package var probeAfter = Duration.seconds(60)
    /// The minimum time between two reads of the attribute database because of changed configuration numbers.
    package var rereadInterval = Duration.seconds(3)
    /// The lifetime of a prepared write.
    package var preparedWriteLifetime = Duration.seconds(5)

    /// The maximum number of addresses to try, in addition to the one at which the accessory was last reached.
    package var maximumAddresses = 8
    /// The maximum number of events per second, which protects the controller from a faulty accessory.
    package var maximumEventsPerSecond = 1_000
    /// The maximum number of bytes in events' bodies per second. Events are parsed on an event loop that sessions
    /// share.
    package var maximumEventBytesPerSecond = 1_048_576
    /// The limits of responses and events.
    package var responseLimits = HTTPLimits.response
    /// The maximum number of characteristics in one request that reads or subscribes.
    package var maximumCharacteristicsPerRequest = 48
    /// The maximum number of writes in one request. It suffices for two values of each accessory of a full bridge, so that
    /// a scene changes all of them at once.
    package var maximumWritesPerRequest = 300
    /// The maximum length of a read's path and query in bytes, so that the request fits in one frame.
    package var maximumTargetLength = 900
    /// The connector that opens connections.
    package var connector = AccessoryConnector.tcp

    /// Creates a configuration with the defaults.
    package init() {}
}
