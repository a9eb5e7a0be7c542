import HubAPI

/// The state of a hub at one moment, in numbers.
struct HubStatistics: Hashable, Sendable {
    /// The causes by which unreachable accessories are counted.
    static let causes =
        [
            AccessoryTrouble.blocked, .noPairing, .connecting, .notAdvertised, .refused, .timedOut, .noRoute,
            .connectionLost, .busy, .httpError, .wasReset, .pairingForgotten, .pairingRefused, .identityChanged,
            .otherAccessory, .unverified, .protocolViolation, .missingOnBridge,
        ]
        .map(\.rawValue) + [other]
    /// The label of all other causes.
    private static let other = "other"

    /// The number of sessions that have sent `session.hello`.
    var clients = 0
    /// The number of open questions.
    var questions = 0
    /// The number of reachable accessories.
    var reachableAccessories = 0
    /// The number of unreachable accessories, by cause.
    var unreachableAccessories: [String: Int] = [:]
    /// Whether each accessory server in a home is reachable, by device ID.
    var servers: [String: Bool] = [:]

    /// Counts an accessory.
    mutating func add(_ update: ReachabilityUpdate) {
        guard !update.isReachable else {
            reachableAccessories += 1
            return
        }
        let cause = update.trouble?.rawValue ?? Self.other
        unreachableAccessories[Self.causes.contains(cause) ? cause : Self.other, default: 0] += 1
    }
}
