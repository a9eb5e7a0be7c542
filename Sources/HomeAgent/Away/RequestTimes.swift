import Foundation
import HubAPI

/// Until when a hub may carry out the requests that a device sends it from away. It is a value without I/O.
///
/// Times are remembered by the device's own clock: the two hubs of a house have clocks of their own. A request that is sent
/// again keeps its time, also if it is sent on the near way or to the other hub then.
struct RequestTimes: Sendable {
    private var times: [UUID: Int64] = [:]
    private var order: [UUID] = []
    private var first = 0

    /// Returns a request with its time.
    ///
    /// - Parameters:
    ///   - offset: The hub's clock less the device's in milliseconds, as of the beginning of the connection; `nil` if the hub
    ///     didn't tell its clock.
    ///   - now: The device's own running clock.
    mutating func stamp(_ request: HubRequest, _ way: Way, offset: Int64?, at now: Int64) -> HubRequest {
        guard let offset else { return request }
        var request = request
        if let key = request.key, let until = times[key] {
            request.until = until + offset
        } else if way == .away {
            let until = now + HubProtocol.longestValidity
            request.until = until + offset
            if let key = request.key { remember(key, until) }
        }
        return request
    }

    private mutating func remember(_ key: UUID, _ until: Int64) {
        times[key] = until
        order.append(key)
        // The clients of the oldest gave up long before.
        guard order.count - first > AgentLimits.timedRequests else { return }
        times[order[first]] = nil
        first += 1
        if first > AgentLimits.timedRequests {
            order.removeFirst(first)
            first = 0
        }
    }
}
