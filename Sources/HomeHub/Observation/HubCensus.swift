import HAPClient

/// How a hub stands at one moment, in numbers.
struct HubCensus: Hashable, Sendable {
    /// The causes for which accessories are counted as unreachable.
    static let causes = sessionCauses.map(\.name) + [blocked, leftBridge]
    private static let sessionCauses: [UnreachableCause] = [
        .notAdvertised, .refused, .timedOut, .noRoute(""), .verifyFailed(""), .otherAccessory, .identityChanged,
        .pairingForgotten, .pairingRefused, .connectionLost, .protocolViolation(""),
    ]
    /// A person shut it out.
    static let blocked = "blocked"
    /// Its bridge no longer has it.
    static let leftBridge = "leftBridge"

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
    /// Multicast DNS messages of others that were read.
    var packetsReceived = 0
    /// Multicast DNS messages that were sent.
    var packetsSent = 0
}
