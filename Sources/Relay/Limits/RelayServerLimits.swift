package import NIOCore
import RelayAPI
package import WebServer

/// The limits of one relay process. `Documentation/Limits.md` lists them.
package struct RelayServerLimits: Sendable {
    /// The limits of connections. A proxy on this machine brings those of everybody.
    package var connection: HTTPConnectionLimits = {
        var limits = HTTPConnectionLimits()
        limits.connections = 60_000
        limits.connectionsPerAddress = 256
        limits.localConnections = limits.connections
        return limits
    }()
    /// The maximum time from the first byte of a body to its last.
    package var bodyTime = Duration.seconds(60)
    /// The maximum number of sessions that a key opens in a minute.
    package var sessionsPerKey = 10
    /// The maximum number of sessions that are opened from an address in a minute.
    package var sessionsPerAddress = 100
    /// The maximum number of houses that are registered without a token from an address in a day.
    package var openHousesPerAddress = 5
    /// The maximum number of live streams of a key.
    package var streamsPerKey = 4
    /// The maximum number of live streams.
    package var streams = 50_000
    /// The maximum number of requests of a key that wait for entries.
    package var waitsPerKey = 8
    /// The maximum number of requests that wait for entries.
    package var waits = 20_000
    /// The maximum number of rates that are remembered.
    package var rates = 100_000
    /// How often streams are looked at that nothing was sent on.
    package var pingInterval = Duration.seconds(5)
    /// The time after which a stream that nothing was sent on gets a ping.
    package var pingTime = TimeAmount.seconds(20)
    /// The maximum time that frames wait for those before them.
    package var gapTime = TimeAmount.seconds(Int64(RelayLimits.frameGapSeconds))
    /// How often a request that waits looks for entries itself.
    package var recheckTime = Duration.seconds(30)
    /// How often a process tells the others that it works.
    package var beatInterval = Duration.seconds(5)
    /// How long the store is asked for what others appended, after a process came or went. A process that hasn't heard of
    /// that by then serves nothing any more.
    package var settleTime = Duration.seconds(2 * RelayLimits.processSeconds)
    /// How often what the store holds is counted for metrics, at most.
    package var countInterval = Duration.seconds(60)
    /// How often the janitor looks for what is too old.
    package var sweepInterval = Duration.seconds(600)

    /// Creates the default limits.
    package init() {}
}
