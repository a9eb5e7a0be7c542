package import HAPCatalog

/// The reason why a request about homes was rejected. Nothing was changed.
package struct HomeError: Error, Hashable, Sendable {
    /// The rule that was broken. Codes of newer versions are preserved.
    package struct Code: Hashable, Sendable, RawRepresentable {
        /// The code's name in messages and on the command line.
        package var rawValue: String

        /// Creates a code from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No object with that ID exists.
        package static let notFound = Code(rawValue: "notFound")
        /// The caller's role does not allow it.
        package static let insufficientPrivileges = Code(rawValue: "insufficientPrivileges")
        /// The ID is in use, or the server's accessories are already in the home.
        package static let alreadyAdded = Code(rawValue: "alreadyAdded")
        /// A limit in ``HomeLimits`` would be exceeded.
        package static let limitExceeded = Code(rawValue: "limitExceeded")
        /// The request is invalid, for example because it adds nothing.
        package static let invalidParameter = Code(rawValue: "invalidParameter")
        /// The accessory server's description contradicts itself.
        package static let invalidAccessory = Code(rawValue: "invalidAccessory")

        /// The name, or an equal one, is already in use.
        package static let nameTaken = Code(rawValue: "nameTaken")
        /// The name is empty.
        package static let nameEmpty = Code(rawValue: "nameEmpty")
        /// The name is longer than ``HomeLimits/nameLength``.
        package static let nameTooLong = Code(rawValue: "nameTooLong")
        /// The name has a character that isn't a letter, a digit, a space or an apostrophe.
        package static let nameInvalidCharacter = Code(rawValue: "nameInvalidCharacter")
        /// The name begins with a space or an apostrophe.
        package static let nameInvalidStart = Code(rawValue: "nameInvalidStart")
        /// The name ends with a space or an apostrophe.
        package static let nameInvalidEnd = Code(rawValue: "nameInvalidEnd")

        /// The default room can't be renamed or removed.
        package static let defaultRoomFixed = Code(rawValue: "defaultRoomFixed")
        /// The default room can't be in a zone.
        package static let defaultRoomNotInZone = Code(rawValue: "defaultRoomNotInZone")
        /// The room is already in the zone.
        package static let alreadyInZone = Code(rawValue: "alreadyInZone")
        /// The room is not in the zone.
        package static let notInZone = Code(rawValue: "notInZone")
        /// A bridged accessory can only be removed together with its bridge.
        package static let bridgedNotRemovable = Code(rawValue: "bridgedNotRemovable")
        /// A bridged accessory can only be blocked together with its bridge.
        package static let bridgedNotBlockable = Code(rawValue: "bridgedNotBlockable")
        /// The service isn't a switch, an outlet or a contact sensor, or the type isn't allowed as its associated type.
        package static let invalidAssociatedType = Code(rawValue: "invalidAssociatedType")
        /// The service is already in the group.
        package static let alreadyInGroup = Code(rawValue: "alreadyInGroup")
        /// The service is not in the group.
        package static let notInGroup = Code(rawValue: "notInGroup")

        /// The characteristic can't be written.
        package static let notWritable = Code(rawValue: "notWritable")
        /// The characteristic doesn't send events.
        package static let notNotifying = Code(rawValue: "notNotifying")
        /// The characteristic can't be read.
        package static let notReadable = Code(rawValue: "notReadable")
        /// The value's type differs from the characteristic's format.
        package static let invalidValueType = Code(rawValue: "invalidValueType")
        /// The number is below the characteristic's minimum.
        package static let valueBelowMinimum = Code(rawValue: "valueBelowMinimum")
        /// The number is above the characteristic's maximum.
        package static let valueAboveMaximum = Code(rawValue: "valueAboveMaximum")
        /// The string or the data is too long.
        package static let valueTooLong = Code(rawValue: "valueTooLong")
        /// The characteristic doesn't accept the value.
        package static let invalidValue = Code(rawValue: "invalidValue")

        /// A built-in action set can't be removed.
        package static let builtInActionSet = Code(rawValue: "builtInActionSet")
        /// A trigger-owned action set has no name and can't be used by another trigger.
        package static let triggerOwnedActionSet = Code(rawValue: "triggerOwnedActionSet")
        /// The action set already has an action on that characteristic.
        package static let actionOnSameCharacteristic = Code(rawValue: "actionOnSameCharacteristic")
        /// The action is in another action set.
        package static let actionInAnotherActionSet = Code(rawValue: "actionInAnotherActionSet")
        /// The trigger already runs the action set.
        package static let alreadyInTrigger = Code(rawValue: "alreadyInTrigger")
        /// The trigger doesn't run the action set.
        package static let notInTrigger = Code(rawValue: "notInTrigger")
        /// An enabled trigger needs an action set.
        package static let noActionSets = Code(rawValue: "noActionSets")
        /// Each action set of an enabled trigger needs an action.
        package static let noActions = Code(rawValue: "noActions")
        /// An event trigger needs an event.
        package static let noEvents = Code(rawValue: "noEvents")
        /// A timer that fires once must fire in the future.
        package static let fireDateInPast = Code(rawValue: "fireDateInPast")
        /// A fire date must be on a whole minute.
        package static let fireDateNotOnMinute = Code(rawValue: "fireDateNotOnMinute")
        /// A timer must fire within ``HomeLimits/longestRecurrence`` of being enabled.
        package static let fireDateTooFar = Code(rawValue: "fireDateTooFar")
        /// The recurrence is shorter than ``HomeLimits/shortestRecurrence``.
        package static let recurrenceTooShort = Code(rawValue: "recurrenceTooShort")
        /// The recurrence is longer than ``HomeLimits/longestRecurrence``.
        package static let recurrenceTooLong = Code(rawValue: "recurrenceTooLong")
        /// A recurrence must be in whole minutes.
        package static let recurrenceNotOnMinute = Code(rawValue: "recurrenceNotOnMinute")

        /// The input isn't an export of homes.
        package static let notAnExport = Code(rawValue: "notAnExport")
        /// The end of the export is missing.
        package static let exportCutShort = Code(rawValue: "exportCutShort")
        /// The export has a version that only a newer Hearth can read.
        package static let futureExport = Code(rawValue: "futureExport")
        /// The export contradicts itself.
        package static let exportDamaged = Code(rawValue: "exportDamaged")

        /// The owner can't be removed or get another role, and no other user can become the owner.
        package static let ownerFixed = Code(rawValue: "ownerFixed")
    }

    /// The rule that was broken.
    package var code: Code
    /// A human-readable reason of one or two sentences: what is wrong and what to do.
    package var reason: String

    /// What the reason names. The first is what is in the way, such as the holder of a name that is taken.
    package var subjects: [Subject]
    /// The name that was rejected.
    package var name: String?
    /// The character because of which the name was rejected.
    package var character: Character?
    /// The limit that was exceeded.
    package var limit: Int?
    /// What is wrong with a value.
    package var value: CharacteristicValueError?

    /// Creates an error.
    package init(
        _ code: Code,
        _ reason: String,
        about subjects: Subject...,
        name: String? = nil,
        character: Character? = nil,
        limit: Int? = nil,
        value: CharacteristicValueError? = nil
    ) {
        self.code = code
        self.reason = reason
        self.subjects = subjects
        self.name = name
        self.character = character
        self.limit = limit
        self.value = value
    }
}

extension HomeError {
    /// Creates an error from a value that a characteristic doesn't accept.
    package init(_ error: CharacteristicValueError) {
        let code: Code =
            switch error {
            case .wrongType: .invalidValueType
            case .belowMinimum: .valueBelowMinimum
            case .aboveMaximum: .valueAboveMaximum
            case .tooLong: .valueTooLong
            case .notAStep, .notAValidValue: .invalidValue
            }
        self.init(code, "\(error).", value: error)
    }
}

extension HomeError: CustomStringConvertible {
    /// The code and the reason.
    package var description: String { "\(code.rawValue): \(reason)" }
}
