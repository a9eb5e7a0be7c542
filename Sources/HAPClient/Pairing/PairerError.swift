package import HAP

/// An error in pairing or identifying an accessory.
package enum PairerError: Error, Sendable {
    /// The accessory was unreachable, or the connection was lost before the keys were exchanged. The accessory is not
    /// paired.
    case unreachable(UnreachableCause)
    /// The accessory refused, or is not the expected one. It is not paired with this controller. The failure's code is
    /// the reason, such as a wrong setup code.
    case pairing(PairingFailure)
    /// The accessory refused with this HTTP status and no other reason.
    case refused(httpStatus: Int)
    /// The preparation before the exchange of keys failed. The accessory is not paired.
    case notPrepared(any Error)
    /// The task was canceled before the keys were exchanged. The accessory is not paired.
    case cancelled
    /// The exchange was interrupted after the keys were sent. The accessory may have the pairing, but its key is
    /// unknown. Keep the controller's keys and withdraw the pairing
    /// (``AccessoryPairer/withdraw(_:from:excluding:at:)``) before pairing again.
    case outcomeUnknown(String)
}

extension PairerError: CustomStringConvertible {
    /// The human-readable reason, and what to do.
    package var description: String {
        switch self {
        case .unreachable(let cause): cause.description
        case .pairing(let failure): failure.reason
        case .refused(let httpStatus): "The accessory refused the request (HTTP \(httpStatus))."
        case .notPrepared(let error): "Pairing could not be started: \(error)"
        case .cancelled: "Pairing was canceled."
        case .outcomeUnknown(let reason):
            "It is unknown whether the accessory is now paired: \(reason). If it can't be paired again, reset it."
        }
    }
}
