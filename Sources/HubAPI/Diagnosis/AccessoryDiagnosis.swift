public import Foundation

/// How far the hub gets with an accessory, step by step, and what is the matter.
public struct AccessoryDiagnosis: Hashable, Sendable, Codable {
    /// A step of the way. More may come.
    public struct StepName: Hashable, Sendable, Codable, RawRepresentable {
        /// The step's name.
        public var rawValue: String

        /// Wraps a step's name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// What came of a step.
    public enum Outcome: String, Sendable, Codable {
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
    public struct Finding: Hashable, Sendable, Codable {
        /// What it is, in one word.
        public var trouble: AccessoryTrouble
        /// What is wrong, with what was seen.
        public var text: String
        /// What a person does about it.
        public var advice: String

        /// Makes a finding.
        public init(_ trouble: AccessoryTrouble, _ detail: String? = nil) {
            self.trouble = trouble
            text = trouble.statement(detail)
            advice = trouble.advice
        }
    }

    /// A step that was made, or skipped.
    public struct Step: Hashable, Sendable, Codable {
        /// Which one.
        public var name: StepName
        /// What came of it.
        public var outcome: Outcome
        /// What was seen.
        public var detail: String
        /// What is the matter; in a step that failed the first is why.
        public var findings: [Finding]
        /// How long it took.
        public var milliseconds: Int

        /// Makes a step.
        public init(
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
    public var accessory: UUID
    /// The steps, in their order, each once.
    public var steps: [Step]

    /// Makes a diagnosis.
    public init(accessory: UUID, steps: [Step]) {
        self.accessory = accessory
        self.steps = steps
    }

    /// The step at which the way ends; nil when it goes on to the end.
    public var stop: Step? { steps.first { $0.outcome == .failed } }

    /// What matters most: why the way ends, else the first thing that was found; nil when nothing is the matter.
    public var cause: Finding? { (stop?.findings ?? steps.flatMap(\.findings)).first }
}

extension AccessoryDiagnosis.StepName {
    /// Whether the hub may and can have to do with it.
    public static let allowed = Self(rawValue: "allowed")
    /// Whether it announces itself.
    public static let advertised = Self(rawValue: "advertised")
    /// Where it is.
    public static let address = Self(rawValue: "address")
    /// Whether a connection to it can be made.
    public static let connection = Self(rawValue: "connection")
    /// Whether both prove who they are.
    public static let verification = Self(rawValue: "verification")
    /// What it says of itself, and its values.
    public static let reading = Self(rawValue: "reading")
    /// Whether it tells of its changes.
    public static let events = Self(rawValue: "events")

    /// All of them, in their order.
    public static let all = [allowed, advertised, address, connection, verification, reading, events]
}
