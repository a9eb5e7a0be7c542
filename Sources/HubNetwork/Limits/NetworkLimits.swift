import HomeIdentity
import LocalRPC
import NIOCore

/// The limits of the hub's port on the network and of each connection.
package struct NetworkLimits: Sendable {
    /// The number of connections a second that are taken from an address, and the number that it can open at once.
    package var handshakes = PeerRate(perSecond: 20, burst: 40)
    /// The maximum number of connections of an address that haven't sent a complete request yet.
    package var strangers = 64
    /// The maximum number of connections of all addresses that haven't sent a complete request yet.
    package var allStrangers = 1_024
    /// The maximum number of seconds until a connection has sent its first complete request.
    package var greetingTime = 10
    /// The maximum number of seconds of an exchange with a joining device.
    package var joinTime = JoinLimits.exchangeTime
    /// The maximum number of connections of a device.
    package var connections = 64
    /// The number of requests a second that are taken from a device, and the number that it can send at once.
    package var requests = PeerRate(perSecond: 200, burst: 1_000)
    /// The same for a device of a person who is a guest everywhere.
    package var guestRequests = PeerRate(perSecond: 50, burst: 200)
    /// The number of joining devices a second for which the hub computes, and the number at once.
    package var joins = PeerRate(perSecond: 10, burst: 10)
    /// The same for the joining devices of one address.
    package var joinsOfAddress = PeerRate(perSecond: 2, burst: 6)
    /// The maximum number of joining devices for which the hub computes at the same time.
    package var concurrentJoins = 2
    /// The bytes of events that a device can leave unread before it gets a reset in their place.
    package var unreadEvents = 256 << 10
    /// The bytes that a device can leave unread before its connection ends.
    package var unreadBytes = 8 << 20
    /// The maximum number of milliseconds in which a removed device can read that it was removed.
    package var farewellMilliseconds: Int64 = 500

    /// Creates the limits.
    package init() {}

    var greeting: TimeAmount { .seconds(Int64(greetingTime)) }
    var farewell: TimeAmount { .milliseconds(farewellMilliseconds) }
    var backlog: Backlog.Limits { Backlog.Limits(events: unreadEvents, total: unreadBytes) }
}
