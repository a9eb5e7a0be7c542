import HubAPI

/// How a hub stands at one moment, in numbers.
struct HubStatistics: Hashable, Sendable {
    /// The causes by which accessories are counted as unreachable.
    static let causes =
        [
            AccessoryTrouble.blocked, .noPairing, .connecting, .notAdvertised, .refused, .timedOut, .noRoute,
            .connectionLost, .busy, .httpError, .wasReset, .pairingForgotten, .pairingRefused, .identityChanged,
            .otherAccessory, .unverified, .protocolViolation, .missingOnBridge,
        ]
        .map(\.rawValue) + [other]
    /// Whatever else is the matter.
    private static let other = "other"

    /// Sessions of clients that have greeted.
    var clients = 0
    /// Questions that wait.
    var questions = 0
    /// Accessories that can be reached.
    var reachableAccessories = 0
    /// Accessories that can't, by cause.
    var unreachableAccessories: [String: Int] = [:]
    /// Accessory servers in homes, by device id, and whether they can be reached.
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
