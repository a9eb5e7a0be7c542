import HubAPI

/// The requests of a session that have no reply yet.
struct RequestLoad: Sendable {
    private var count = 0
    private var bytes = 0

    /// Adds a request. Returns `false` if it exceeds a limit.
    mutating func add(_ size: Int) -> Bool {
        guard count < SessionLimits.unansweredRequests, size <= SessionLimits.unansweredBytes - bytes else {
            return false
        }
        count += 1
        bytes += size
        return true
    }

    /// Removes a request that has been answered.
    mutating func remove(_ size: Int) {
        count -= 1
        bytes -= size
    }
}

extension HubRequest {
    /// The size of a request, in bytes.
    var size: Int { method.utf8.count + parameters.count }
}
