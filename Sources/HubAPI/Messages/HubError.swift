package import LocalRPC

extension HubError {
    /// The problem of the accessory that the error is about, if it is known.
    package var trouble: AccessoryTrouble? {
        get { problem.map { AccessoryTrouble(rawValue: $0) } }
        set { problem = newValue?.rawValue }
    }

    /// Creates an error about an accessory. Codes of ``HomeModel/HomeError`` are used unchanged.
    package init(_ code: Code, _ reason: String, trouble: AccessoryTrouble?) {
        self.init(code, reason, problem: trouble?.rawValue)
    }

    /// Creates an error from an accessory's problem.
    package init(_ code: Code, _ trouble: AccessoryTrouble, _ detail: String? = nil) {
        self.init(code, trouble.explanation(detail), trouble: trouble)
    }

    /// The reason without the advice for the problem.
    package var reasonWithoutAdvice: String {
        guard let advice = trouble?.advice, !advice.isEmpty, reason.hasSuffix(" \(advice)") else { return reason }
        return String(reason.dropLast(advice.count + 1))
    }
}

extension HubError.Code {
    // MARK: Requests

    /// The versions of hub and client differ by more than one.
    package static let versionMismatch = Self(rawValue: "versionMismatch")
    /// The client has too many requests without a reply, or too many open questions.
    package static let tooManyRequests = Self(rawValue: "tooManyRequests")
    /// An earlier request with the same key was a different one.
    package static let keyReused = Self(rawValue: "keyReused")
    /// A request came before ``HubMethods/hello``.
    package static let notGreeted = Self(rawValue: "notGreeted")
    /// The app is not allowed to use the homes.
    package static let appNotAllowed = Self(rawValue: "appNotAllowed")
    /// The app does not state why it needs access.
    package static let purposeMissing = Self(rawValue: "purposeMissing")
    /// The hub has an internal failure. Its log has the details.
    package static let hubFailure = Self(rawValue: "hubFailure")
    /// Another hub with the same homes has replaced this one.
    package static let hubSuperseded = Self(rawValue: "hubSuperseded")
    /// The change could not be stored. Nothing has changed.
    package static let storeFailure = Self(rawValue: "storeFailure")
    /// The hub is one of two, and neither leads now, or this one stopped leading. Whether the change happens isn't known if
    /// the reason says so.
    package static let noLeader = Self(rawValue: "noLeader")

    // MARK: Devices

    /// The code to sign in is wrong, was used or has expired.
    package static let wrongCode = Self(rawValue: "wrongCode")
    /// The device isn't signed in, or was signed out.
    package static let signedOut = Self(rawValue: "signedOut")
    /// The device was removed, or its user was. It can come back with an invitation only.
    package static let deviceRemoved = Self(rawValue: "deviceRemoved")
    /// The device is about to join, and somebody who may confirm it hasn't compared the digits yet.
    package static let joinPending = Self(rawValue: "joinPending")
    /// The code or the link's secret is wrong.
    package static let wrongInvitationCode = Self(rawValue: "wrongInvitationCode")
    /// The invitation was used, withdrawn or declined, has expired, or had too many wrong tries.
    package static let invitationEnded = Self(rawValue: "invitationEnded")
    /// The user has as many devices as possible.
    package static let tooManyDevices = Self(rawValue: "tooManyDevices")
    /// The method can't be called from where the connection comes from.
    package static let notHere = Self(rawValue: "notHere")
    /// The request took too long on the way, and isn't carried out.
    package static let expired = Self(rawValue: "expired")
    /// The answer to a command was lost, so it isn't known whether the command was carried out. An agent says so.
    package static let outcomeUnknown = Self(rawValue: "outcomeUnknown")
    /// The hub can't be reached. An agent says so in the hub's place.
    package static let hubAway = Self(rawValue: "hubAway")
    /// The logical connection over HTTP has ended.
    package static let streamEnded = Self(rawValue: "streamEnded")

    // MARK: Sync

    /// The relay can't be reached, or refuses the hub; the reason names the cause.
    package static let relayFailed = Self(rawValue: "relayFailed")
    /// The relay has changes that the hub has signed and that its data doesn't have, so the hub doesn't run.
    package static let storeRolledBack = Self(rawValue: "storeRolledBack")

    // MARK: Automations

    /// The action set is already running.
    package static let alreadyExecuting = Self(rawValue: "alreadyExecuting")
    /// The action set has no actions.
    package static let nothingToRun = Self(rawValue: "nothingToRun")
    /// The hub's clock is the system's, which no request can advance.
    package static let clockNotManual = Self(rawValue: "clockNotManual")
    /// The data folder was created with another kind of clock.
    package static let clockKindMismatch = Self(rawValue: "clockKindMismatch")

    // MARK: Journal

    /// The journal can't be read: its file is of a newer version, or the disk reported an error.
    package static let journalUnavailable = Self(rawValue: "journalUnavailable")

    // MARK: Audio

    /// The hub shows no audio of its machine.
    package static let noAudio = Self(rawValue: "noAudio")
    /// The app no longer plays, or doesn't handle the command.
    package static let playerGone = Self(rawValue: "playerGone")
    /// The receiver refuses the password.
    package static let wrongReceiverPassword = Self(rawValue: "wrongReceiverPassword")
    /// The receiver refuses the PIN.
    package static let wrongPIN = Self(rawValue: "wrongPIN")
    /// The receiver can't be reached, or refuses this hub; the reason names the cause.
    package static let receiverFailed = Self(rawValue: "receiverFailed")

    // MARK: Questions

    /// The user declined, or did not answer in time.
    package static let cancelled = Self(rawValue: "operationCancelled")
    /// The answer is invalid for the question.
    package static let invalidAnswer = Self(rawValue: "invalidAnswer")

    // MARK: Adding accessories

    /// No accessory with that ID was found on the network.
    package static let notDiscovered = Self(rawValue: "notDiscovered")
    /// The setup code is malformed.
    package static let invalidSetupCode = Self(rawValue: "invalidSetupCode")
    /// The setup payload is malformed.
    package static let invalidSetupPayload = Self(rawValue: "invalidSetupPayload")
    /// The accessory rejected the setup code.
    package static let wrongSetupCode = Self(rawValue: "wrongSetupCode")
    /// The accessory is paired with another controller.
    package static let alreadyPaired = Self(rawValue: "alreadyPaired")
    /// Another controller is pairing the accessory.
    package static let accessoryBusy = Self(rawValue: "accessoryBusy")
    /// The accessory rejects further attempts.
    package static let tooManyTries = Self(rawValue: "tooManyTries")
    /// The accessory has no room for another controller.
    package static let tooManyControllers = Self(rawValue: "tooManyControllers")
    /// The peer could not prove that it is the accessory.
    package static let impostor = Self(rawValue: "impostor")
    /// The accessory no longer has the pairing.
    package static let pairingForgotten = Self(rawValue: "pairingForgotten")
    /// The accessory violated HAP.
    package static let protocolViolation = Self(rawValue: "protocolViolation")

    // MARK: Reaching accessories

    /// The accessory can't be reached; the reason names the cause.
    package static let notReachable = Self(rawValue: "notReachable")
    /// A user blocked the accessory.
    package static let accessoryBlocked = Self(rawValue: "accessoryBlocked")
    /// The accessory didn't respond in time.
    package static let timedOut = Self(rawValue: "timedOut")

    // MARK: Characteristics

    /// The accessory has no such characteristic.
    package static let noSuchCharacteristic = Self(rawValue: "noSuchCharacteristic")
    /// The characteristic can't be read.
    package static let notReadable = Self(rawValue: "notReadable")
    /// The characteristic can't be written.
    package static let notWritable = Self(rawValue: "notWritable")
    /// The characteristic doesn't send events.
    package static let notNotifying = Self(rawValue: "notNotifying")
    /// The value has the wrong type.
    package static let invalidValueType = Self(rawValue: "invalidValueType")
    /// The value is below the minimum.
    package static let valueBelowMinimum = Self(rawValue: "valueBelowMinimum")
    /// The value is above the maximum.
    package static let valueAboveMaximum = Self(rawValue: "valueAboveMaximum")
    /// The string is too long.
    package static let valueTooLong = Self(rawValue: "valueTooLong")
    /// The value is not one of the valid values.
    package static let invalidValue = Self(rawValue: "invalidValue")
    /// The accessory denied this controller access.
    package static let accessoryDenied = Self(rawValue: "accessoryDenied")
    /// The accessory is out of resources.
    package static let accessoryOutOfResources = Self(rawValue: "accessoryOutOfResources")
    /// The accessory does not allow the request in its current state.
    package static let notAllowedNow = Self(rawValue: "notAllowedNow")
    /// The accessory answered with an unknown status. The reason has its number.
    package static let accessoryFailed = Self(rawValue: "accessoryFailed")
}

extension HubError.Code {
    /// Whether only a user can fix the problem, and retries cannot.
    package var needsUserAction: Bool {
        switch self {
        case .impostor, .pairingForgotten, .accessoryBlocked: true
        default: false
        }
    }
}
