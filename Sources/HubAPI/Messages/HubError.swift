/// Why the hub, or the way to it, refused or failed.
///
/// Codes are open: one that a client does not know is still an error with a reason to show.
package struct HubError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// What went wrong, in one word.
    package struct Code: Hashable, Sendable, Codable, RawRepresentable {
        /// The word in messages.
        package var rawValue: String

        /// Wraps a word.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What went wrong. Codes of ``HomeModel/HomeError`` pass through unchanged.
    package var code: Code
    /// What is wrong and what to do, for people.
    package var reason: String
    /// What is the matter with the accessory that it is about, where that is known.
    package var trouble: AccessoryTrouble?

    /// Makes an error.
    package init(_ code: Code, _ reason: String, trouble: AccessoryTrouble? = nil) {
        self.code = code
        self.reason = reason
        self.trouble = trouble
    }

    /// Makes an error of what is the matter with an accessory.
    package init(_ code: Code, _ trouble: AccessoryTrouble, _ detail: String? = nil) {
        self.init(code, trouble.explanation(detail), trouble: trouble)
    }

    /// The reason without the advice that goes with the trouble.
    package var statement: String {
        guard let advice = trouble?.advice, !advice.isEmpty, reason.hasSuffix(" \(advice)") else { return reason }
        return String(reason.dropLast(advice.count + 1))
    }

    /// The code and the reason in one line.
    package var description: String { "\(code.rawValue): \(reason)" }
}

extension HubError.Code {
    // MARK: The way to the hub

    /// No hub answers at the socket.
    package static let noHub = Self(rawValue: "noHub")
    /// What answers at the hub's socket is run by another user.
    package static let untrustedHub = Self(rawValue: "untrustedHub")
    /// The connection ended before the reply.
    package static let connectionLost = Self(rawValue: "connectionLost")
    /// Hub and client are more than one version apart.
    package static let versionMismatch = Self(rawValue: "versionMismatch")
    /// A message that is no message: not JSON, no method, parameters of the wrong form, too long.
    package static let malformedMessage = Self(rawValue: "malformedMessage")
    /// The hub has no such method.
    package static let unknownMethod = Self(rawValue: "unknownMethod")
    /// The client has too much waiting for the hub: requests without a reply, or open questions.
    package static let tooManyRequests = Self(rawValue: "tooManyRequests")
    /// The key of a request is that of an earlier one that asked for something else.
    package static let keyReused = Self(rawValue: "keyReused")
    /// A message came before ``HubMethods/hello``.
    package static let notGreeted = Self(rawValue: "notGreeted")
    /// The app may not use the home.
    package static let appNotAllowed = Self(rawValue: "appNotAllowed")
    /// The app does not tell why it wants to use the home.
    package static let purposeMissing = Self(rawValue: "purposeMissing")
    /// The hub failed inside; its log says more.
    package static let hubFailure = Self(rawValue: "hubFailure")
    /// Another hub of the same homes goes on in this one's place.
    package static let hubSuperseded = Self(rawValue: "hubSuperseded")
    /// The store could not take the change; nothing was changed.
    package static let storeFailure = Self(rawValue: "storeFailure")

    // MARK: Questions

    /// A person declined, or nobody answered in time.
    package static let cancelled = Self(rawValue: "operationCancelled")
    /// The answer is none that the question takes.
    package static let invalidAnswer = Self(rawValue: "invalidAnswer")

    // MARK: Adding accessories

    /// No accessory with that id is to be seen on the network.
    package static let notDiscovered = Self(rawValue: "notDiscovered")
    /// What was given is not a set-up code.
    package static let invalidSetupCode = Self(rawValue: "invalidSetupCode")
    /// What was given is not the text of a QR code or NFC tag for set-up.
    package static let invalidSetupPayload = Self(rawValue: "invalidSetupPayload")
    /// The accessory refused the set-up code.
    package static let wrongSetupCode = Self(rawValue: "wrongSetupCode")
    /// The accessory is paired with another controller.
    package static let alreadyPaired = Self(rawValue: "alreadyPaired")
    /// The accessory is being paired by somebody else right now.
    package static let accessoryBusy = Self(rawValue: "accessoryBusy")
    /// The accessory refuses further tries.
    package static let tooManyTries = Self(rawValue: "tooManyTries")
    /// The accessory has no room for another controller.
    package static let tooManyControllers = Self(rawValue: "tooManyControllers")
    /// The other side could not prove that it is the accessory.
    package static let impostor = Self(rawValue: "impostor")
    /// The accessory does not know our pairing any more.
    package static let pairingForgotten = Self(rawValue: "pairingForgotten")
    /// The accessory did not speak HAP as it should.
    package static let protocolViolation = Self(rawValue: "protocolViolation")

    // MARK: Reaching accessories

    /// The accessory cannot be reached; the reason names the cause.
    package static let notReachable = Self(rawValue: "notReachable")
    /// A person shut the accessory out of the home; it takes part again once it is unblocked.
    package static let accessoryBlocked = Self(rawValue: "accessoryBlocked")
    /// The accessory did not answer in time.
    package static let timedOut = Self(rawValue: "timedOut")

    // MARK: Characteristics

    /// The accessory has no such characteristic.
    package static let noSuchCharacteristic = Self(rawValue: "noSuchCharacteristic")
    /// The characteristic cannot be read.
    package static let notReadable = Self(rawValue: "notReadable")
    /// The characteristic cannot be written.
    package static let notWritable = Self(rawValue: "notWritable")
    /// The characteristic does not notify.
    package static let notNotifying = Self(rawValue: "notNotifying")
    /// The value has the wrong type.
    package static let invalidValueType = Self(rawValue: "invalidValueType")
    /// The value is below the minimum.
    package static let valueBelowMinimum = Self(rawValue: "valueBelowMinimum")
    /// The value is above the maximum.
    package static let valueAboveMaximum = Self(rawValue: "valueAboveMaximum")
    /// The string is too long.
    package static let valueTooLong = Self(rawValue: "valueTooLong")
    /// The value is none of those that the characteristic takes.
    package static let invalidValue = Self(rawValue: "invalidValue")
    /// The accessory says that this controller may not.
    package static let accessoryDenied = Self(rawValue: "accessoryDenied")
    /// The accessory reports that it has no resources for it now.
    package static let accessoryOutOfResources = Self(rawValue: "accessoryOutOfResources")
    /// The accessory does not allow it in its present state.
    package static let notAllowedNow = Self(rawValue: "notAllowedNow")
    /// The accessory answered with a status that has no name here; the reason has the number.
    package static let accessoryFailed = Self(rawValue: "accessoryFailed")
}

extension HubError.Code {
    /// Whether it is a trouble of an accessory that only people can mend: neither time nor another try will.
    package var isLastingTrouble: Bool {
        switch self {
        case .impostor, .pairingForgotten, .accessoryBlocked: true
        default: false
        }
    }
}
