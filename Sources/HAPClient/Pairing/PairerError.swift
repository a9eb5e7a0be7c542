package import HAP

/// Why an accessory was not paired or identified.
package enum PairerError: Error, Sendable {
    /// The accessory was not reached, or lost before the keys were exchanged: it is not paired.
    case unreachable(UnreachableCause)
    /// The accessory refused, or is not the one that it should be: it is not paired with this controller. Its code says
    /// which, a wrong setup code for instance.
    case pairing(PairingFailure)
    /// The accessory refused with this HTTP status and gave no other reason.
    case refused(httpStatus: Int)
    /// What had to be done before the keys were exchanged failed: the accessory is not paired.
    case notPrepared(any Error)
    /// The task was canceled before the keys were exchanged: the accessory is not paired.
    case cancelled
    /// The exchange broke after the keys had been sent: the accessory may hold the pairing, yet its own key is not
    /// known. Keep the controller's keys and have the pairing withdrawn
    /// (``AccessoryPairer/withdraw(_:from:excluding:at:)``) before pairing again.
    case outcomeUnknown(String)
}

extension PairerError: CustomStringConvertible {
    /// What went wrong, and what to do about it.
    package var description: String {
        switch self {
        case .unreachable(let cause): cause.description
        case .pairing(let failure): failure.reason
        case .refused(let httpStatus): "The accessory refused the request (HTTP \(httpStatus))."
        case .notPrepared(let error): "Pairing was not carried out: \(error)"
        case .cancelled: "Pairing was cancelled."
        case .outcomeUnknown(let reason):
            "It is unknown whether the accessory is paired now: \(reason). If it can't be paired again, reset it."
        }
    }
}
