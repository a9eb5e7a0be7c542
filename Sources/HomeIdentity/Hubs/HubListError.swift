/// Why a list of hubs isn't made or taken. Whoever refuses one keeps the list that it has.
package struct HubListError: Error, Hashable, Sendable {
    /// The kinds of errors. Unknown values are preserved.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The bytes aren't a list, or it breaks a rule.
        package static let malformed = Code(rawValue: "hubListDamaged")
        /// No hub that is pinned has signed it.
        package static let forged = Code(rawValue: "hubListForged")
        /// A later list is known.
        package static let outdated = Code(rawValue: "hubListOutdated")
        /// The hubs have signed two lists with one number.
        package static let forked = Code(rawValue: "hubListForked")
        /// The list replaces every hub at once.
        package static let discontinuous = Code(rawValue: "hubListDiscontinuous")
        /// It is of a later version.
        package static let updateNeeded = Code(rawValue: "updateNeeded")
        /// There are as many hubs as possible.
        package static let tooManyHubs = Code(rawValue: "tooManyHubs")
        /// The hub is in the list already.
        package static let alreadyMember = Code(rawValue: "alreadyInHome")
        /// The hub isn't in the list.
        package static let notMember = Code(rawValue: "notFound")
        /// The hub is the only one.
        package static let lastHub = Code(rawValue: "lastHub")
        /// No number is left.
        package static let exhausted = Code(rawValue: "hubListExhausted")
    }

    /// The kind.
    package var code: Code
    /// What is wrong and what to do, for people.
    package var message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension HubListError: CustomStringConvertible {
    /// The message.
    package var description: String { message }
}

extension HubListError {
    static func malformed(_ what: String) -> HubListError {
        HubListError(.malformed, "The list of hubs can't be used: \(what). The list that is known stays.")
    }

    static let forged = HubListError(
        .forged,
        "None of the hubs that are known here has signed the list of hubs. The list that is known stays."
    )
    static let outdated = HubListError(.outdated, "The list of hubs is older than the one that is known.")
    static let forked = HubListError(
        .forked,
        "The hubs have signed two different lists with one number, so one of them was probably set back to an old copy of "
            + "its data. The list that is known stays. Decide which hub to keep, and switch the other one off for good. A device "
            + "that follows the other one must join the hub that you keep again: hearth join"
    )
    static let discontinuous = HubListError(
        .discontinuous,
        "The list of hubs names none of the hubs that are known here. The list that is known stays."
    )
    static let updateNeeded = HubListError(
        .updateNeeded,
        "The list of hubs is of a later version. Update Hearth on this machine."
    )
    static let tooManyHubs = HubListError(
        .tooManyHubs,
        "There are \(HubListLimits.maximumHubs) hubs already, the maximum. Remove one first."
    )
    static let alreadyMember = HubListError(.alreadyMember, "The hub is in the list already.")
    package static let notMember = HubListError(.notMember, "No such hub is in the list.")
    static let lastHub = HubListError(.lastHub, "It is the only hub of the homes, so it can't be removed.")
    static let exhausted = HubListError(.exhausted, "The list of hubs can't be changed any more.")
}
