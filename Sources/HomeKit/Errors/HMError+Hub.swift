import Foundation
import HAPCatalog
import HomeModel
import HubAPI

// Maps the hub's error codes to the framework's.

extension HMError {
    /// The scope in which a name is taken.
    enum NameScope {
        case homes
        case home
    }

    /// Creates an error from an error of the hub or of the connection to it.
    init(_ error: HubError, among names: NameScope = .home) {
        let code = Code(error.code)
        let isTakenByHome = code == .objectWithSimilarNameExistsInHome && names == .homes
        var userInfo: [String: Any] = [NSLocalizedFailureReasonErrorKey: error.reasonWithoutAdvice]
        if let trouble = error.trouble {
            userInfo[Self.troubleKey] = trouble.rawValue
            if !trouble.advice.isEmpty { userInfo[NSLocalizedRecoverySuggestionErrorKey] = trouble.advice }
        }
        self.init(isTakenByHome ? .homeWithSimilarNameExists : code, userInfo: userInfo)
    }

    /// The key of ``userInfo`` for the accessory's problem, as a code.
    static let troubleKey = "HearthAccessoryTrouble"

    /// Creates an error from a value's violation of the characteristic's constraints.
    init(_ error: CharacteristicValueError) {
        let code: Code =
            switch error {
            case .wrongType: .invalidValueType
            case .belowMinimum: .valueLowerThanMinimum
            case .aboveMaximum: .valueHigherThanMaximum
            case .tooLong: .stringLongerThanMaximum
            case .notAStep, .notAValidValue: .invalidParameter
            }
        self.init(code, reason: "\(error).")
    }
}

extension HMError.Code {
    /// Creates the framework's code for a code of the hub.
    init(_ code: HubError.Code) {
        self = Self.table[code] ?? .unexpectedError
    }

    private static let table: [HubError.Code: HMError.Code] = [
        // The connection to the hub.
        .noHub: .communicationFailure,
        .untrustedHub: .communicationFailure,
        .connectionLost: .communicationFailure,
        .versionMismatch: .noCompatibleHomeHub,
        .malformedMessage: .clientRequestError,
        .unknownMethod: .operationNotSupported,
        .keyReused: .clientRequestError,
        .tooManyRequests: .clientRequestError,
        .notGreeted: .communicationFailure,
        .appNotAllowed: .homeAccessNotAuthorized,
        .purposeMissing: .homeAccessNotAuthorized,
        .hubAway: .communicationFailure,
        .expired: .operationTimedOut,
        .outcomeUnknown: .operationTimedOut,
        .relayFailed: .communicationFailure,
        .deviceRemoved: .homeAccessNotAuthorized,
        .joinPending: .homeAccessNotAuthorized,
        .notHere: .operationNotSupported,
        .tooManyDevices: .maximumObjectLimitReached,
        .hubFailure: .genericError,
        .storeFailure: .genericError,
        .noLeader: .communicationFailure,
        .cancelled: .operationCancelled,
        .invalidAnswer: .invalidParameter,

        // Running action sets.
        .alreadyExecuting: .actionSetExecutionInProgress,
        .nothingToRun: .noActionsInActionSet,
        .clockNotManual: .operationNotSupported,

        // Adding accessories.
        .notDiscovered: .accessoryDiscoveryFailed,
        .invalidSetupCode: .accessoryPairingFailed,
        .invalidSetupPayload: .invalidDataFormatSpecified,
        .wrongSetupCode: .accessoryPairingFailed,
        .alreadyPaired: .accessoryPairingFailed,
        .accessoryBusy: .accessoryIsBusy,
        .tooManyTries: .accessoryPairingFailed,
        .tooManyControllers: .accessoryOutOfResources,
        .impostor: .securityFailure,
        .pairingForgotten: .securityFailure,
        .protocolViolation: .accessorySentInvalidResponse,

        // Reaching accessories and their characteristics.
        .notReachable: .accessoryNotReachable,
        .accessoryBlocked: .accessoryIsBlocked,
        .timedOut: .operationTimedOut,
        .noSuchCharacteristic: .notFound,
        .notReadable: .writeOnlyCharacteristic,
        .notWritable: .readOnlyCharacteristic,
        .notNotifying: .notificationNotSupported,
        .invalidValueType: .invalidValueType,
        .valueBelowMinimum: .valueLowerThanMinimum,
        .valueAboveMaximum: .valueHigherThanMaximum,
        .valueTooLong: .stringLongerThanMaximum,
        .invalidValue: .invalidParameter,
        .accessoryDenied: .accessDenied,
        .accessoryOutOfResources: .accessoryOutOfResources,
        .notAllowedNow: .accessoryResponseError,
        .accessoryFailed: .accessoryResponseError,

        // The home's rules.
        .init(.notFound): .notFound,
        .init(.insufficientPrivileges): .insufficientPrivileges,
        .init(.alreadyAdded): .alreadyExists,
        .init(.limitExceeded): .maximumObjectLimitReached,
        .init(.invalidParameter): .invalidParameter,
        .init(.invalidAccessory): .accessoryOutOfCompliance,
        .init(.nameTaken): .objectWithSimilarNameExistsInHome,
        .init(.nameEmpty): .stringShorterThanMinimum,
        .init(.nameTooLong): .stringLongerThanMaximum,
        .init(.nameInvalidCharacter): .nameContainsProhibitedCharacters,
        .init(.nameInvalidStart): .nameDoesNotStartWithValidCharacters,
        .init(.nameInvalidEnd): .nameDoesNotEndWithValidCharacters,
        .init(.defaultRoomFixed): .roomForHomeCannotBeUpdated,
        .init(.defaultRoomNotInZone): .roomForHomeCannotBeInZone,
        .init(.alreadyInZone): .alreadyExists,
        .init(.notInZone): .notFound,
        .init(.bridgedNotRemovable): .cannotRemoveNonBridgeAccessory,
        .init(.bridgedNotBlockable): .operationNotSupported,
        .init(.invalidAssociatedType): .invalidAssociatedServiceType,
        .init(.alreadyInGroup): .alreadyExists,
        .init(.notInGroup): .notFound,
        .init(.builtInActionSet): .cannotRemoveBuiltinActionSet,
        .init(.triggerOwnedActionSet): .operationNotSupported,
        .init(.actionOnSameCharacteristic): .alreadyExists,
        .init(.actionInAnotherActionSet): .actionInAnotherActionSet,
        .init(.alreadyInTrigger): .alreadyExists,
        .init(.notInTrigger): .notFound,
        .init(.noActionSets): .noRegisteredActionSets,
        .init(.noActions): .noActionsInActionSet,
        .init(.noEvents): .missingParameter,
        .init(.fireDateInPast): .fireDateInPast,
        .init(.fireDateNotOnMinute): .dateMustBeOnSpecifiedBoundaries,
        .init(.fireDateTooFar): .cannotActivateTriggerTooFarInFuture,
        .init(.recurrenceTooShort): .recurrenceTooSmall,
        .init(.recurrenceTooLong): .recurrenceTooLarge,
        .init(.recurrenceNotOnMinute): .recurrenceMustBeOnSpecifiedBoundaries,
        .init(.ownerFixed): .userManagementFailed,
    ]
}

extension HubError.Code {
    /// The hub passes on the home model's codes unchanged.
    fileprivate init(_ code: HomeError.Code) {
        self.init(rawValue: code.rawValue)
    }
}
