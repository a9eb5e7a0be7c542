package import HAP
package import HAPCatalog

/// The reason for the failure of a request to an accessory.
package enum AccessoryFailure: Error, Hashable, Sendable {
    /// The accessory answered with this status.
    case status(HAPStatus)
    /// The accessory rejected the whole request with this HTTP status and no other reason.
    case refused(httpStatus: Int)
    /// The accessory is currently unreachable. The request was not executed.
    case unreachable(UnreachableCause)
    /// The deadline passed before a read was answered or a write was sent.
    case timedOut
    /// The connection was lost, or the deadline passed, after the request was sent. It may or may not have taken
    /// effect; read the value to find out.
    case outcomeUnknown(UnreachableCause)
    /// The accessory rejected a pairings request.
    case pairing(PairingFailure)
    /// The accessory's response is malformed, for the given reason.
    case malformedAnswer(String)
    /// The session isn't started or was stopped.
    case stopped
    /// The time until which the write could be sent was over. It was not sent.
    case expired
}

extension AccessoryFailure: CustomStringConvertible {
    /// The human-readable reason.
    package var description: String {
        switch self {
        case .status(let status): "The accessory refused: \(status)."
        case .refused(let httpStatus): "The accessory refused the request (HTTP \(httpStatus))."
        case .unreachable(let cause): cause.description
        case .timedOut: "The accessory did not answer in time."
        case .outcomeUnknown(let cause): "It is unknown whether this took effect. \(cause)"
        case .pairing(let failure): "The accessory's pairings could not be changed: \(failure.reason)."
        case .malformedAnswer(let reason): "The accessory's answer can't be understood: \(reason)."
        case .expired: "It was too late to send the write."
        case .stopped: "The connection to the accessory has been shut down."
        }
    }
}
