/// A requirement of HAP that can be tested at an accessory.
package struct Check: Sendable {
    /// How much a failure matters.
    package enum Severity: String, Sendable, CaseIterable, Codable {
        /// Controllers rely on it. A failure fails the run.
        case must
        /// Controllers cope without it. A failure is a warning, unless the run is strict.
        case should
        /// A stranger on the network could do harm. A failure fails the run.
        case security
    }

    /// When a check runs. The stages follow one another in this order.
    package enum Stage: Int, Sendable, Comparable {
        /// Before the accessory is paired.
        case unpaired
        /// While the suite pairs.
        case pairing
        /// While the suite is paired, with an admin's pairing.
        case paired
        /// Before and after the accessory is restarted, while the suite is paired.
        case restart
        /// Attacks, while the suite is paired.
        case pairedAttack
        /// After the suite removed its pairing.
        case removed
        /// Attacks, after the suite removed its pairing.
        case unpairedAttack

        package static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    /// The ID, which never changes: the group, a period and a name.
    package let id: String
    /// How much a failure matters.
    package let severity: Severity
    /// When the check runs.
    package let stage: Stage
    /// The requirement, in a sentence.
    package let requirement: String
    /// Where the requirement comes from.
    package let source: String

    /// Runs the check. Throws ``CheckFailure`` or ``CheckNotApplicable``.
    let run: @Sendable (CheckContext) async throws -> Void

    init(
        _ id: String,
        _ severity: Severity,
        _ stage: Stage,
        _ requirement: String,
        _ source: String,
        run: @escaping @Sendable (CheckContext) async throws -> Void
    ) {
        self.id = id
        self.severity = severity
        self.stage = stage
        self.requirement = requirement
        self.source = source
        self.run = run
    }

    /// The group, which is the first part of the ID.
    package var group: CheckGroup {
        CheckGroup(rawValue: description.group) ?? .http
    }

    /// What reports and lists show of the check.
    package var description: CheckDescription {
        CheckDescription(id: id, severity: severity, requirement: requirement, source: source)
    }
}

/// What was seen instead of the required behavior.
package struct CheckFailure: Error {
    /// What was seen.
    package let seen: String

    /// Creates a failure.
    package init(_ seen: String) {
        self.seen = seen
    }
}

/// Why a check can't be applied.
package struct CheckNotApplicable: Error {
    /// The reason.
    package let reason: String

    /// Creates a reason.
    package init(_ reason: String) {
        self.reason = reason
    }
}
