import HubAPI

/// The requests of a session that have no reply yet.
struct RequestLoad: Sendable {
    private var count = 0
    private var bytes = 0

    /// Adds a request, and returns whether there was room for it.
    mutating func add(_ size: Int) -> Bool {
        guard count < SessionLimits.unansweredRequests, size <= SessionLimits.unansweredBytes - bytes else {
            return false
        }
        count += 1
        bytes += size
        return true
    }

    /// Removes a request that has its reply.
    mutating func remove(_ size: Int) {
        count -= 1
        bytes -= size
    }
}

extension HubRequest {
    /// The bytes that a request holds.
    var size: Int { method.utf8.count + parameters.count }
}
