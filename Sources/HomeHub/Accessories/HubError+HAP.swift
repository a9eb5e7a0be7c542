import HAP
import HAPCatalog
import HAPClient
import HubAPI

// The hub's words for what the wire reports: each of the wire's vocabularies has its one mapping here.

extension HubError {
    /// A person shut the accessory out. The hub itself blocks nothing: anybody on the network can pose as an accessory,
    /// and the genuine one must not be shut out for it.
    static let accessoryBlocked = HubError(AccessoryTrouble.blocked)

    /// Why pairing failed.
    init(_ failure: PairingFailure) {
        let (code, advice): (Code, String?) =
            switch failure.code {
            case .wrongSetupCode: (.wrongSetupCode, "The set-up code is wrong. It is on the accessory or its box.")
            case .alreadyPaired: (.alreadyPaired, "The accessory is paired already. Remove it there, or reset it.")
            case .busy: (.accessoryBusy, "Somebody else is pairing the accessory. Try again in a minute.")
            case .mustWait: (.accessoryBusy, "The accessory takes no more set-up codes for now. Try again later.")
            case .accessoryFailed: (.accessoryFailed, "The accessory failed to pair. Restart it and try again.")
            case .tooManyTries: (.tooManyTries, "The accessory takes no more set-up codes. Reset it.")
            case .noRoom: (.tooManyControllers, "The accessory has no room for another controller.")
            case .notAuthorized: (.accessoryDenied, nil)
            case .impostor, .otherAccessory, .otherKey: (.impostor, nil)
            case .malformedReply, .refused, .outOfOrder: (.protocolViolation, nil)
            default: (.hubFailure, nil)
            }
        self.init(code, advice ?? failure.reason)
    }

    /// Why an accessory was not paired or identified.
    init(_ error: PairerError) {
        switch error {
        case .unreachable(let cause): self.init(cause)
        case .pairing(let failure): self.init(failure)
        case .refused: self.init(.protocolViolation, error.description)
        case .notPrepared: self.init(.storeFailure, error.description)
        case .cancelled: self.init(.cancelled, error.description)
        case .outcomeUnknown:
            let advice =
                "The accessory was lost while it was being paired. As soon as it can be reached the pairing is taken back; "
                + "then add it again."
            self.init(.connectionLost, advice)
        }
    }

    /// Why an accessory was not taken over from another controller.
    init(importing error: PairerError) {
        let again = "Take a fresh copy of the file, or add the accessory by its set-up code."
        switch error {
        case .unreachable(.pairingForgotten):
            let reason = "The accessory no longer accepts the other controller: its pairing was removed or is another."
            self.init(.pairingForgotten, "\(reason) \(again)", trouble: .pairingForgotten)
        case .unreachable(.pairingRefused):
            let reason = "What answers at the accessory's address has no such pairing: it was probably reset."
            self.init(.pairingForgotten, "\(reason) \(again)", trouble: .pairingRefused)
        case .unreachable(.identityChanged):
            let reason = "The accessory has another key than the file says: it was reset, or the file was altered."
            self.init(.impostor, "\(reason) \(again)", trouble: .identityChanged)
        case .pairing(let failure) where failure.code == .notAuthorized:
            let reason = "The other controller is not an admin of the accessory, so it can't introduce this home."
            self.init(.accessoryDenied, "\(reason) Import from the controller that paired the accessory first.")
        case .pairing(let failure) where failure.code == .noRoom:
            let reason = "The accessory has no room for another controller."
            self.init(.tooManyControllers, "\(reason) Remove it from one that is not used any more.")
        case .outcomeUnknown:
            let reason = "The accessory was lost while it was told of this home. As soon as it can be reached that is"
            self.init(.connectionLost, "\(reason) taken back; then import it again.")
        default:
            self.init(error)
        }
    }

    /// Why an accessory cannot be reached.
    init(_ cause: UnreachableCause) {
        self.init(AccessoryTrouble(cause), cause.detail)
    }

    /// What is the matter with an accessory.
    init(_ trouble: AccessoryTrouble, _ detail: String? = nil) {
        self.init(Code(trouble), trouble, detail)
    }

    /// Why a read, a write or another request failed.
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
        }
    }

    /// Why a value is not one that the characteristic takes.
    init(_ error: CharacteristicValueError) {
        let code: Code =
            switch error {
            case .wrongType: .invalidValueType
            case .belowMinimum: .valueBelowMinimum
            case .aboveMaximum: .valueAboveMaximum
            case .tooLong: .valueTooLong
            case .notAStep, .notAValidValue: .invalidValue
            }
        self.init(code, "\(error).")
    }
}

extension AccessoryTrouble {
    /// What a cause of the wire's says of the accessory.
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
    /// What was seen, beyond the cause itself.
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
    /// The name under which errors tell of a trouble.
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

    /// The hub's word for a HAP status.
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
