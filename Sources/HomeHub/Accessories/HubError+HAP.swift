import HAP
import HAPCatalog
import HAPClient
import HubAPI

// The mapping of HAP's errors, statuses and causes to the hub's errors. Each HAP vocabulary is mapped once, here.

extension HubError {
    /// A user blocked the accessory. The hub never blocks one on its own: any device on the network can pose as an
    /// accessory, and must not be able to shut out the authentic one.
    static let accessoryBlocked = HubError(AccessoryTrouble.blocked)

    /// Creates an error from a failed pairing.
    init(_ failure: PairingFailure) {
        let (code, advice): (Code, String?) =
            switch failure.code {
            case .wrongSetupCode: (.wrongSetupCode, "The setup code is wrong. Look for it on the accessory or its box.")
            case .alreadyPaired: (.alreadyPaired, "The accessory is already paired. Unpair it, or reset it.")
            case .busy: (.accessoryBusy, "Another controller is pairing the accessory. Try again in a minute.")
            case .mustWait: (.accessoryBusy, "The accessory accepts no more setup codes for now. Try again later.")
            case .accessoryFailed: (.accessoryFailed, "The accessory failed to pair. Restart it and try again.")
            case .tooManyTries: (.tooManyTries, "The accessory accepts no more setup codes. Reset it.")
            case .noRoom: (.tooManyControllers, "The accessory can't store another controller. Remove one.")
            case .notAuthorized: (.accessoryDenied, nil)
            case .impostor, .otherAccessory, .otherKey: (.impostor, nil)
            case .malformedReply, .refused, .outOfOrder: (.protocolViolation, nil)
            default: (.hubFailure, nil)
            }
        self.init(code, advice ?? failure.reason)
    }

    /// Creates an error from a failure to pair or identify an accessory.
    init(_ error: PairerError) {
        switch error {
        case .unreachable(let cause): self.init(cause)
        case .pairing(let failure): self.init(failure)
        case .refused: self.init(.protocolViolation, error.description)
        case .notPrepared: self.init(.storeFailure, error.description)
        case .cancelled: self.init(.cancelled, error.description)
        case .outcomeUnknown:
            let advice =
                "The connection was lost during pairing. When the accessory is reachable, the hub withdraws the "
                + "pairing; then add it again."
            self.init(.connectionLost, advice)
        }
    }

    /// Creates an error from a failure to import an accessory from another controller.
    init(importing error: PairerError) {
        let again = "Export the file again, or add the accessory with its setup code."
        switch error {
        case .unreachable(.pairingForgotten):
            let reason = "The accessory no longer accepts the other controller: its pairing was removed or replaced."
            self.init(.pairingForgotten, "\(reason) \(again)", trouble: .pairingForgotten)
        case .unreachable(.pairingRefused):
            let reason = "The accessory doesn't have the other controller's pairing: it was probably reset."
            self.init(.pairingForgotten, "\(reason) \(again)", trouble: .pairingRefused)
        case .unreachable(.identityChanged):
            let reason = "The accessory's key differs from the key in the file: it was reset, or the file was altered."
            self.init(.impostor, "\(reason) \(again)", trouble: .identityChanged)
        case .pairing(let failure) where failure.code == .notAuthorized:
            let reason = "The other controller isn't an admin of the accessory, so it can't add this home."
            self.init(.accessoryDenied, "\(reason) Import from the controller that first paired the accessory.")
        case .pairing(let failure) where failure.code == .noRoom:
            let reason = "The accessory can't store another controller."
            self.init(.tooManyControllers, "\(reason) Remove it from a controller that you no longer use.")
        case .outcomeUnknown:
            let reason = "The connection was lost while the accessory was being paired with this home."
            let advice = "When it is reachable, the hub withdraws the pairing; then import it again."
            self.init(.connectionLost, "\(reason) \(advice)")
        default:
            self.init(error)
        }
    }

    /// Creates an error from the cause of an accessory's unreachability.
    init(_ cause: UnreachableCause) {
        self.init(AccessoryTrouble(cause), cause.detail)
    }

    /// Creates an error from a problem with an accessory.
    init(_ trouble: AccessoryTrouble, _ detail: String? = nil) {
        self.init(Code(trouble), trouble, detail)
    }

    /// Creates an error from a failed read, write or other request.
    init(_ failure: AccessoryFailure) {
        switch failure {
        case .status(.unableToPerform): self.init(AccessoryTrouble.deviceUnreachable)
        case .status(let status): self.init(Code(status), failure.description)
        case .unreachable(let cause): self.init(cause)
        case .timedOut: self.init(Code.timedOut, AccessoryTrouble.timedOut)
        case .outcomeUnknown(let cause):
            let trouble = AccessoryTrouble(cause)
            let reason = "It is unknown whether this took effect. \(trouble.explanation(cause.detail))"
            self.init(.timedOut, reason, trouble: trouble)
        case .pairing(let failure): self.init(failure)
        case .refused, .malformedAnswer: self.init(.protocolViolation, failure.description)
        case .stopped: self.init(.notReachable, failure.description)
        case .expired: self = RequestExpiry.error
        }
    }
}

extension AccessoryTrouble {
    /// Creates the problem that a cause of unreachability indicates.
    init(_ cause: UnreachableCause) {
        self =
            switch cause {
            case .notAdvertised: .notAdvertised
            case .refused: .refused
            case .timedOut: .timedOut
            case .noRoute: .noRoute
            case .verifyFailed: .unverified
            case .otherAccessory: .otherAccessory
            case .identityChanged: .identityChanged
            case .pairingForgotten: .pairingForgotten
            case .pairingRefused: .pairingRefused
            case .busy: .busy
            case .httpError: .httpError
            case .connectionLost: .connectionLost
            case .protocolViolation: .protocolViolation
            }
    }
}

extension UnreachableCause {
    /// The observed detail, in addition to the cause.
    var detail: String? {
        switch self {
        case .noRoute(let text), .verifyFailed(let text), .busy(let text), .protocolViolation(let text): text
        case .httpError(let status): "HTTP \(HTTPStatus(rawValue: status))"
        case .notAdvertised, .refused, .timedOut, .otherAccessory, .identityChanged, .pairingForgotten, .pairingRefused,
            .connectionLost:
            nil
        }
    }
}

extension HubError.Code {
    /// Creates the error code for a problem with an accessory.
    init(_ trouble: AccessoryTrouble) {
        self =
            switch trouble {
            case .blocked: .accessoryBlocked
            case .wasReset, .pairingForgotten, .pairingRefused: .pairingForgotten
            case .identityChanged, .otherAccessory, .unverified: .impostor
            case .httpError, .protocolViolation, .unreadableDatabase: .protocolViolation
            case .busy: .accessoryBusy
            default: .notReachable
            }
    }

    /// Creates the error code for a HAP status.
    init(_ status: HAPStatus) {
        self =
            switch status {
            case .insufficientPrivileges, .insufficientAuthorization: .accessoryDenied
            case .unableToPerform: .notReachable
            case .busy: .accessoryBusy
            case .readOnly: .notWritable
            case .writeOnly: .notReadable
            case .notificationNotSupported: .notNotifying
            case .outOfResources: .accessoryOutOfResources
            case .timedOut: .timedOut
            case .noSuchResource: .noSuchCharacteristic
            case .invalidValue: .invalidValue
            case .notAllowedInCurrentState: .notAllowedNow
            default: .accessoryFailed
            }
    }
}
