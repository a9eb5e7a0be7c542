package import Foundation

/// How far the hub gets with an accessory, step by step, and what is the matter.
package struct AccessoryDiagnosis: Hashable, Sendable, Codable {
    /// A step of the way. More may come.
    package struct StepName: Hashable, Sendable, Codable, RawRepresentable {
        /// The step's name.
        package var rawValue: String

        /// Wraps a step's name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What came of a step.
    package enum Outcome: String, Sendable, Codable {
        /// Nothing is the matter.
        case passed
        /// Something is the matter, but the way goes on.
        case warning
        /// The way ends here.
        case failed
        /// It was not tried.
        case skipped
    }

    /// Something that is the matter.
    package struct Finding: Hashable, Sendable, Codable {
        /// What it is, in one word.
        package var trouble: AccessoryTrouble
        /// What is wrong, with what was seen.
        package var text: String
        /// What a person does about it.
        package var advice: String

        /// Makes a finding.
        package init(_ trouble: AccessoryTrouble, _ detail: String? = nil) {
            self.trouble = trouble
            text = trouble.statement(detail)
            advice = trouble.advice
        }
    }

    /// A step that was made, or skipped.
    package struct Step: Hashable, Sendable, Codable {
        /// Which one.
        package var name: StepName
        /// What came of it.
        package var outcome: Outcome
        /// What was seen.
        package var detail: String
        /// What is the matter; in a step that failed the first is why.
        package var findings: [Finding]
        /// How long it took.
        package var milliseconds: Int

        /// Makes a step.
        package init(
            _ name: StepName,
            _ outcome: Outcome,
            _ detail: String,
            findings: [Finding] = [],
            milliseconds: Int = 0
        ) {
            self.name = name
            self.outcome = outcome
            self.detail = detail
            self.findings = findings
            self.milliseconds = milliseconds
        }
    }

    /// The accessory.
    package var accessory: UUID
    /// The steps, in their order, each once.
    package var steps: [Step]

    /// Makes a diagnosis.
    package init(accessory: UUID, steps: [Step]) {
        self.accessory = accessory
        self.steps = steps
    }

    /// The step at which the way ends; nil when it goes on to the end.
    package var stop: Step? { steps.first { $0.outcome == .failed } }

    /// What matters most: why the way ends, else the first thing that was found; nil when nothing is the matter.
    package var cause: Finding? { (stop?.findings ?? steps.flatMap(\.findings)).first }
}

extension AccessoryDiagnosis.StepName {
    /// Whether the hub may and can have to do with it.
    package static let allowed = Self(rawValue: "allowed")
    /// Whether it announces itself.
    package static let advertised = Self(rawValue: "advertised")
    /// Where it is.
    package static let address = Self(rawValue: "address")
    /// Whether a connection to it can be made.
    package static let connection = Self(rawValue: "connection")
    /// Whether both prove who they are.
    package static let verification = Self(rawValue: "verification")
    /// What it says of itself, and its values.
    package static let reading = Self(rawValue: "reading")
    /// Whether it tells of its changes.
    package static let events = Self(rawValue: "events")

    /// All of them, in their order.
    package static let all = [allowed, advertised, address, connection, verification, reading, events]
}
