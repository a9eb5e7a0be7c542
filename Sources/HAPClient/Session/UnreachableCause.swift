/// Why an accessory server can't be used at present.
package enum UnreachableCause: Error, Hashable, Sendable {
    /// No address is known, or the accessory has taken leave of the network.
    case notAdvertised
    /// Nothing listens at its addresses.
    case refused
    /// It did not answer in time: switched off, out of range or stuck.
    case timedOut
    /// Its addresses can't be reached from here; the text is the system's.
    case noRoute(String)
    /// It did not prove to be the accessory that was paired, or refused the session; the text says how.
    case verifyFailed(String)
    /// Another accessory answers at its addresses.
    case otherAccessory
    /// It has the ID of the accessory that was paired and another key: it was reset to factory settings, or something
    /// else passes itself off as it.
    case identityChanged
    /// It has proved to be the accessory that was paired, and says that it does not know this controller any more.
    /// Remove it from the home and pair it anew.
    case pairingForgotten
    /// What answers at its address refuses the pairing and has proved nothing: the accessory after a reset, or something
    /// else that has its address by now.
    case pairingRefused
    /// It takes no further connection or session for now; the text says how.
    case busy(String)
    /// It answered with this HTTP status where pair-verify should begin, and has proved nothing.
    case httpError(Int)
    /// It closed the connection, or the network broke it.
    case connectionLost
    /// It sent what the protocol does not allow; the text says what.
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
    /// What is wrong, for people and logs.
    package var description: String {
        switch self {
        case .notAdvertised: "The accessory is not on the network."
        case .refused: "The accessory's address refuses connections."
        case .timedOut: "The accessory does not answer."
        case .noRoute(let reason): "The accessory's address can't be reached from here: \(reason)."
        case .verifyFailed(let reason): "The accessory could not be verified: \(reason)."
        case .otherAccessory: "Another accessory answers at this accessory's address."
        case .identityChanged: "The accessory has another key than when it was added."
        case .pairingForgotten: "The accessory has forgotten the pairing."
        case .pairingRefused: "The accessory refuses the pairing."
        case .busy(let reason): "The accessory takes no further connection: \(reason)."
        case .httpError(let status): "The accessory answers with HTTP status \(status)."
        case .connectionLost: "The connection to the accessory was lost."
        case .protocolViolation(let reason): "The accessory does not keep to its protocol: \(reason)."
        }
    }
}
