/// The way by which a connection reaches a server, from the closest to the farthest.
///
/// The listener that accepts the connection determines it. A message can't claim one.
package enum Way: String, Comparable, Sendable, CaseIterable, Codable {
    /// On the server's own machine: its Unix sockets, and callers in the same process.
    case here
    /// Over a local network.
    case near
    /// From elsewhere, through a relay.
    case away

    package static func < (one: Way, other: Way) -> Bool { one.distance < other.distance }

    private var distance: Int {
        switch self {
        case .here: 0
        case .near: 1
        case .away: 2
        }
    }
}
