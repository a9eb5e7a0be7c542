package import Foundation

/// The result of checking the path from the hub to an accessory, step by step.
package struct AccessoryDiagnosis: Hashable, Sendable, Codable {
    /// The name of a step. Later versions may add steps.
    package struct StepName: Hashable, Sendable, Codable, RawRepresentable {
        /// The step's name.
        package var rawValue: String

        /// Creates a step name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The result of a step.
    package enum Outcome: String, Sendable, Codable {
        /// The step found no problem.
        case passed
        /// The step found a problem that doesn't stop the diagnosis.
        case warning
        /// The diagnosis stops at this step.
        case failed
        /// The step didn't run.
        case skipped
    }

    /// A problem that a step found.
    package struct Finding: Hashable, Sendable, Codable {
        /// The problem's code.
        package var trouble: AccessoryTrouble
        /// The description of the problem, with the hub's observation.
        package var text: String
        /// The advice for the user.
        package var advice: String

        /// Creates a finding.
        package init(_ trouble: AccessoryTrouble, _ detail: String? = nil) {
            self.trouble = trouble
            text = trouble.statement(detail)
            advice = trouble.advice
        }
    }

    /// A step of a diagnosis, whether it ran or was skipped.
    package struct Step: Hashable, Sendable, Codable {
        /// The step's name.
        package var name: StepName
        /// The step's result.
        package var outcome: Outcome
        /// The hub's observation.
        package var detail: String
        /// The problems that the step found. In a step that failed, the first one is the reason.
        package var findings: [Finding]
        /// The step's duration in milliseconds.
        package var milliseconds: Int

        /// Creates a step.
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

    /// The ID of the accessory.
    package var accessory: UUID
    /// The steps in order, each once.
    package var steps: [Step]

    /// Creates a diagnosis.
    package init(accessory: UUID, steps: [Step]) {
        self.accessory = accessory
        self.steps = steps
    }

    /// The step that failed; `nil` if none did.
    package var stop: Step? { steps.first { $0.outcome == .failed } }

    /// The most important problem: the one that stopped the diagnosis, otherwise the first one found; `nil` if there is
    /// none.
    package var cause: Finding? { (stop?.findings ?? steps.flatMap(\.findings)).first }
}

extension AccessoryDiagnosis.StepName {
    /// Whether the hub may use the accessory and has a pairing with it.
    package static let allowed = Self(rawValue: "allowed")
    /// Whether the accessory advertises itself.
    package static let advertised = Self(rawValue: "advertised")
    /// Whether the accessory has an address that the hub can use.
    package static let address = Self(rawValue: "address")
    /// Whether the hub can connect to the accessory.
    package static let connection = Self(rawValue: "connection")
    /// Whether pair verify succeeds.
    package static let verification = Self(rawValue: "verification")
    /// Whether the accessory's attribute database and values can be read.
    package static let reading = Self(rawValue: "reading")
    /// Whether the accessory sends events.
    package static let events = Self(rawValue: "events")

    /// All steps, in order.
    package static let all = [allowed, advertised, address, connection, verification, reading, events]
}
