package import HAP
package import HAPCatalog

/// Why one read, write or other request to an accessory failed.
package enum AccessoryFailure: Error, Hashable, Sendable {
    /// The accessory answered with this status.
    case status(HAPStatus)
    /// The accessory refused the whole request with this HTTP status and gave no other reason.
    case refused(httpStatus: Int)
    /// The accessory can't be used at present. The request was not carried out.
    case unreachable(UnreachableCause)
    /// The deadline passed. A read was not answered; a write was never sent.
    case timedOut
    /// The connection broke, or the deadline passed, after the request had been sent: it may have taken effect or not.
    /// Read to find out.
    case outcomeUnknown(UnreachableCause)
    /// The accessory refused to change or list its pairings.
    case pairing(PairingFailure)
    /// The accessory's answer makes no sense; the text says why.
    case malformedAnswer(String)
    /// The session was not started yet, or was stopped.
    case stopped
}

extension AccessoryFailure: CustomStringConvertible {
    /// What went wrong, for people.
    package var description: String {
        switch self {
        case .status(let status): "The accessory refused: \(status)."
        case .refused(let httpStatus): "The accessory refused the request (HTTP \(httpStatus))."
        case .unreachable(let cause): cause.description
        case .timedOut: "The accessory did not answer in time."
        case .outcomeUnknown(let cause): "It is unknown whether this took effect. \(cause)"
        case .pairing(let failure): "The accessory's pairings could not be changed: \(failure.reason)."
        case .malformedAnswer(let reason): "The accessory's answer can't be understood: \(reason)."
        case .stopped: "The connection to the accessory has been shut down."
        }
    }
}
