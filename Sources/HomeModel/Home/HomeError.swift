/// Why a request about homes was refused. Nothing was changed.
package struct HomeError: Error, Hashable, Sendable, Codable {
    /// The rule that was broken. Kept open: a reader meets codes of newer versions.
    package struct Code: Hashable, Sendable, Codable, RawRepresentable {
        /// The code's name in messages and on the command line.
        package var rawValue: String

        /// Wraps a code's name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is nothing of that identity here.
        package static let notFound = Code(rawValue: "notFound")
        /// The caller's role does not allow it.
        package static let insufficientPrivileges = Code(rawValue: "insufficientPrivileges")
        /// The identity is in use, or the accessory server's accessories are in the home already.
        package static let alreadyAdded = Code(rawValue: "alreadyAdded")
        /// One more than ``HomeLimits`` allows.
        package static let limitExceeded = Code(rawValue: "limitExceeded")
        /// A request that makes no sense, for example an addition of nothing.
        package static let invalidParameter = Code(rawValue: "invalidParameter")
        /// What an accessory server describes contradicts itself.
        package static let invalidAccessory = Code(rawValue: "invalidAccessory")

        /// The name, or one that compares equal, is taken.
        package static let nameTaken = Code(rawValue: "nameTaken")
        /// The name has no characters.
        package static let nameEmpty = Code(rawValue: "nameEmpty")
        /// The name is longer than ``HomeLimits/nameLength``.
        package static let nameTooLong = Code(rawValue: "nameTooLong")
        /// The name has a character that is no letter, digit, space or apostrophe.
        package static let nameInvalidCharacter = Code(rawValue: "nameInvalidCharacter")
        /// The name begins with a space or an apostrophe.
        package static let nameInvalidStart = Code(rawValue: "nameInvalidStart")
        /// The name ends with a space or an apostrophe.
        package static let nameInvalidEnd = Code(rawValue: "nameInvalidEnd")

        /// The default room can be neither renamed nor removed.
        package static let defaultRoomFixed = Code(rawValue: "defaultRoomFixed")
        /// The default room can be in no zone.
        package static let defaultRoomNotInZone = Code(rawValue: "defaultRoomNotInZone")
        /// The room is in the zone already.
        package static let alreadyInZone = Code(rawValue: "alreadyInZone")
        /// The room is not in the zone.
        package static let notInZone = Code(rawValue: "notInZone")
        /// An accessory behind a bridge leaves with its bridge only.
        package static let bridgedNotRemovable = Code(rawValue: "bridgedNotRemovable")
        /// An accessory behind a bridge is blocked with its bridge only.
        package static let bridgedNotBlockable = Code(rawValue: "bridgedNotBlockable")
        /// The service is no switch, outlet or contact sensor, or the type is none that it could belong to.
        package static let invalidAssociatedType = Code(rawValue: "invalidAssociatedType")
        /// The service is in the group already.
        package static let alreadyInGroup = Code(rawValue: "alreadyInGroup")
        /// The service is not in the group.
        package static let notInGroup = Code(rawValue: "notInGroup")

        /// The characteristic cannot be written.
        package static let notWritable = Code(rawValue: "notWritable")
        /// The characteristic does not tell of its changes.
        package static let notNotifying = Code(rawValue: "notNotifying")
        /// The characteristic cannot be read.
        package static let notReadable = Code(rawValue: "notReadable")
        /// The value is of another kind than the characteristic's.
        package static let invalidValueType = Code(rawValue: "invalidValueType")
        /// The number is below the characteristic's minimum.
        package static let valueBelowMinimum = Code(rawValue: "valueBelowMinimum")
        /// The number is above the characteristic's maximum.
        package static let valueAboveMaximum = Code(rawValue: "valueAboveMaximum")
        /// The text or the bytes are too long.
        package static let valueTooLong = Code(rawValue: "valueTooLong")
        /// The value is none that the characteristic takes.
        package static let invalidValue = Code(rawValue: "invalidValue")

        /// A built-in action set cannot be removed.
        package static let builtInActionSet = Code(rawValue: "builtInActionSet")
        /// An action set that a trigger owns has no name, and is no other trigger's.
        package static let triggerOwnedActionSet = Code(rawValue: "triggerOwnedActionSet")
        /// The action set has an action on that characteristic already.
        package static let actionOnSameCharacteristic = Code(rawValue: "actionOnSameCharacteristic")
        /// The action is in another action set.
        package static let actionInAnotherActionSet = Code(rawValue: "actionInAnotherActionSet")
        /// The trigger runs the action set already.
        package static let alreadyInTrigger = Code(rawValue: "alreadyInTrigger")
        /// The trigger does not run the action set.
        package static let notInTrigger = Code(rawValue: "notInTrigger")
        /// A trigger that is enabled needs an action set.
        package static let noActionSets = Code(rawValue: "noActionSets")
        /// Each action set of a trigger that is enabled needs an action.
        package static let noActions = Code(rawValue: "noActions")
        /// An event trigger needs an event.
        package static let noEvents = Code(rawValue: "noEvents")
        /// A timer that fires once fires in the future.
        package static let fireDateInPast = Code(rawValue: "fireDateInPast")
        /// A fire date has whole minutes.
        package static let fireDateNotOnMinute = Code(rawValue: "fireDateNotOnMinute")
        /// A timer can be enabled no longer before it fires than ``HomeLimits/longestRecurrence``.
        package static let fireDateTooFar = Code(rawValue: "fireDateTooFar")
        /// A recurrence is shorter than ``HomeLimits/shortestRecurrence``.
        package static let recurrenceTooShort = Code(rawValue: "recurrenceTooShort")
        /// A recurrence is longer than ``HomeLimits/longestRecurrence``.
        package static let recurrenceTooLong = Code(rawValue: "recurrenceTooLong")
        /// A recurrence has whole minutes.
        package static let recurrenceNotOnMinute = Code(rawValue: "recurrenceNotOnMinute")

        /// What was given is no export of homes.
        package static let notAnExport = Code(rawValue: "notAnExport")
        /// An export's end is missing.
        package static let exportCutShort = Code(rawValue: "exportCutShort")
        /// An export is of a version that only a newer Hearth reads.
        package static let futureExport = Code(rawValue: "futureExport")
        /// An export says what cannot be.
        package static let exportDamaged = Code(rawValue: "exportDamaged")

        /// The owner can neither leave nor have another role, and nobody else can become it.
        package static let ownerFixed = Code(rawValue: "ownerFixed")
    }

    /// The rule that was broken.
    package var code: Code
    /// What is wrong and what to do, for people; one sentence or two.
    package var reason: String

    /// Makes an error.
    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension HomeError: CustomStringConvertible {
    /// The code and the reason.
    package var description: String { "\(code.rawValue): \(reason)" }
}
