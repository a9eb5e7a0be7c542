/// What addresses and devices have used of their ``NetworkLimits``, as a value that is handed the time.
///
/// Each address and each device has its own share, so that one that floods the hub slows only itself.
struct PeerLimits<Device: Hashable> {
    /// Why a connection isn't taken.
    enum Refusal: Hashable {
        /// The address opens connections too fast.
        case tooFast
        /// Too many connections haven't sent a request.
        case tooManyStrangers
    }

    /// The number of addresses or devices above which those that have used nothing are forgotten.
    static var remembered: Int { 1_024 }

    private let limits: NetworkLimits
    private var handshakes: [String: TokenBucket] = [:]
    private var strangers: [String: Int] = [:]
    private var strangerCount = 0
    private var connections: [Device: Int] = [:]
    private var requests: [Device: TokenBucket] = [:]
    private var joins: TokenBucket
    private var joinsOfAddress: [String: TokenBucket] = [:]
    private var concurrentJoins = 0

    init(_ limits: NetworkLimits, at now: Double) {
        self.limits = limits
        joins = TokenBucket(limits.joins, at: now)
    }

    /// Counts a new connection, which is a stranger's until ``greeted(from:)``.
    mutating func connect(from address: String, at now: Double) -> Refusal? {
        guard Self.take(address, from: &handshakes, limits.handshakes, at: now) == nil else { return .tooFast }
        guard strangers[address, default: 0] < limits.strangers, strangerCount < limits.allStrangers else {
            return .tooManyStrangers
        }
        strangers[address, default: 0] += 1
        strangerCount += 1
        return nil
    }

    /// Counts a stranger's connection that has sent a request, or has ended before.
    mutating func greeted(from address: String) {
        guard let count = strangers[address] else { return }
        strangers[address] = count > 1 ? count - 1 : nil
        strangerCount -= 1
    }

    /// Counts a device's connection.
    ///
    /// - Returns: Whether the limit allows it. If so, ``end(of:)`` must follow.
    mutating func begin(of device: Device) -> Bool {
        guard connections[device, default: 0] < limits.connections else { return false }
        connections[device, default: 0] += 1
        return true
    }

    /// Counts the end of a device's connection.
    mutating func end(of device: Device) {
        guard let count = connections[device] else { return }
        connections[device] = count > 1 ? count - 1 : nil
    }

    /// Counts a device's request.
    ///
    /// - Returns: `nil` if it can be carried out, or else the number of seconds until the next one can.
    mutating func request(of device: Device, isGuest: Bool, at now: Double) -> Double? {
        Self.take(device, from: &requests, isGuest ? limits.guestRequests : limits.requests, at: now)
    }

    /// Counts the computation for a joining device.
    ///
    /// - Returns: Whether there is room for it. If so, ``endJoin()`` must follow.
    mutating func beginJoin(from address: String, at now: Double) -> Bool {
        guard concurrentJoins < limits.concurrentJoins,
            Self.take(address, from: &joinsOfAddress, limits.joinsOfAddress, at: now) == nil,
            joins.take(at: now) == nil
        else { return false }
        concurrentJoins += 1
        return true
    }

    /// Counts the end of a computation.
    mutating func endJoin() {
        concurrentJoins -= 1
    }

    /// The number of addresses and devices that something is remembered of.
    var rememberedCount: Int {
        handshakes.count + strangers.count + connections.count + requests.count + joinsOfAddress.count
    }

    private static func take<Key: Hashable>(
        _ key: Key,
        from buckets: inout [Key: TokenBucket],
        _ rate: PeerRate,
        at now: Double
    ) -> Double? {
        if buckets[key] == nil, buckets.count >= remembered {
            buckets = buckets.filter { entry in
                var bucket = entry.value
                return !bucket.isFull(at: now)
            }
            // Everybody who is remembered has used something within the last seconds: a flood from many addresses. The
            // newcomer waits, as all of them do.
            guard buckets.count < remembered else { return 1 }
        }
        return buckets[key, default: TokenBucket(rate, at: now)].take(at: now)
    }
}
