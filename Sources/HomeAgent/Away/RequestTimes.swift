import Foundation
import HubAPI

/// Until when a hub may carry out the requests that a device sends it from away. It is a value without I/O.
///
/// The device counts from the arrival of the hub's reading of its clock, so somebody on the way who delays it makes the
/// times only shorter. A request that is sent again keeps its time, also if it is sent on the near way then.
struct RequestTimes: Sendable {
    /// The hub's clock less the device's, in milliseconds.
    private var offset: Int64?
    private var times: [UUID: Int64] = [:]
    private var order: [UUID] = []
    private var first = 0

    /// Takes a reading of the hub's clock.
    ///
    /// - Parameter now: The device's own running clock.
    mutating func read(_ clock: Int64, at now: Int64) { offset = clock - now }

    /// Returns a request with its time.
    mutating func stamp(_ request: HubRequest, _ way: Way, at now: Int64) -> HubRequest {
        var request = request
        if let key = request.key, let until = times[key] {
            request.until = until
        } else if way == .away, let offset {
            let until = now + offset + HubProtocol.longestValidity
            request.until = until
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
