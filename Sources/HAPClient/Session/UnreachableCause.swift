/// The reason for which an accessory server is currently unreachable.
package enum UnreachableCause: Error, Hashable, Sendable {
    /// No address is known, or the accessory sent a goodbye.
    case notAdvertised
    /// The accessory's addresses refuse connections.
    case refused
    /// The accessory didn't answer in time. It may be off, out of range or stuck.
    case timedOut
    /// The accessory's addresses can't be reached from this host. The string is the system's reason.
    case noRoute(String)
    /// The peer couldn't prove that it is the paired accessory, or rejected the session, for the given reason.
    case verifyFailed(String)
    /// Another accessory answers at the accessory's addresses.
    case otherAccessory
    /// The peer has the accessory's device ID but another key. The accessory was reset, or the peer is an impostor.
    case identityChanged
    /// The authenticated accessory no longer has a pairing with this controller. Remove it from the home and pair it
    /// again.
    case pairingForgotten
    /// An unauthenticated peer at the accessory's address rejects the pairing. It may be the accessory after a reset,
    /// or another device that now has its address.
    case pairingRefused
    /// The accessory currently accepts no more connections or sessions, for the given reason.
    case busy(String)
    /// An unauthenticated peer answered pair-verify with this HTTP status.
    case httpError(Int)
    /// The accessory or the network closed the connection.
    case connectionLost
    /// The accessory violated the protocol, as described.
    case protocolViolation(String)

    /// The cause's name, the same in every release.
    package var name: String {
        switch self {
        case .notAdvertised: "notAdvertised"
        case .refused: "refused"
        case .timedOut: "timedOut"
        case .noRoute: "noRoute"
        case .verifyFailed: "verifyFailed"
        case .otherAccessory: "otherAccessory"
        case .identityChanged: "identityChanged"
        case .pairingForgotten: "pairingForgotten"
        case .pairingRefused: "pairingRefused"
        case .busy: "busy"
        case .httpError: "httpError"
        case .connectionLost: "connectionLost"
        case .protocolViolation: "protocolViolation"
        }
    }
}

extension UnreachableCause: CustomStringConvertible {
    /// The human-readable reason.
    package var description: String {
        switch self {
        case .notAdvertised: "The accessory is not on the network."
        case .refused: "The accessory's address refuses connections."
        case .timedOut: "The accessory does not answer."
        case .noRoute(let reason): "The accessory's address can't be reached from here: \(reason)."
        case .verifyFailed(let reason): "The accessory could not be verified: \(reason)."
        case .otherAccessory: "Another accessory answers at this accessory's address."
        case .identityChanged: "The accessory's key has changed since it was added."
        case .pairingForgotten: "The accessory has forgotten the pairing."
        case .pairingRefused: "The accessory refuses the pairing."
        case .busy(let reason): "The accessory accepts no more connections: \(reason)."
        case .httpError(let status): "The accessory answers with HTTP status \(status)."
        case .connectionLost: "The connection to the accessory was lost."
        case .protocolViolation(let reason): "The accessory violates the protocol: \(reason)."
        }
    }
}
