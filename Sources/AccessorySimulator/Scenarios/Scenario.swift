#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HAP
internal import HAPCatalog
internal import HAPServer

/// A scenario for simulated accessories and apps: timed actions, faults and expected results.
///
/// `Documentation/Scenarios.md` describes the file format. Run a scenario with ``ScenarioRun``.
public struct Scenario: Sendable {
    /// The scenario's name.
    public let name: String
    /// The seed of all random choices, unless the run has another seed.
    public var seed: UInt64
    /// The accessory files.
    public let files: [String]
    /// The names of the apps.
    public let apps: [String]
    /// The home; `nil` if the apps are the only controllers.
    package let home: Home?
    /// The minimum duration.
    let end: Duration
    /// The steps, in order of time.
    let steps: [Step]

    /// A step of a scenario.
    struct Step: Sendable {
        let time: Duration
        /// The path of the step in the file, such as `steps[3]`.
        let path: String
        let action: Action
        /// The step's JSON, for errors found later.
        let node: FileNode
        /// The line of the step, computed on each access.
        var line: Int { node.line }
    }

    /// The action of a step.
    enum Action: Sendable {
        /// An app performs a request.
        case app(name: String, AppAction, outcome: Outcome, within: Duration?)
        /// An app must, or must not, receive an event with a value.
        case expectEvent(app: String, Target, CharacteristicValue, within: Duration, isAbsent: Bool)
        /// Sets a value at the accessory, or presses a button.
        case set(Target, CharacteristicValue)
        case fault(Fault, accessory: String, characteristic: String?, service: String?)
        case clear(accessory: String)
        /// A person runs a scene of the home.
        case run(scene: String)
        /// A person comes home or leaves.
        case presence(person: String, isHome: Bool)
        /// The accessory must have a value.
        case check(Target, CharacteristicValue)
    }

    /// A request of an app.
    enum AppAction: Sendable {
        case pair(accessory: String)
        case list(accessory: String)
        case read(Target, expected: CharacteristicValue?)
        case write(Target, CharacteristicValue)
        case subscribe(Target)
    }

    /// A characteristic in a step.
    struct Target: Hashable, Sendable {
        /// The text in the file, such as `Garage Door/TargetDoorState`.
        let text: String
        let address: CharacteristicAddress
        let metadata: CharacteristicMetadata
    }

    /// The outcome of an app's request.
    enum Outcome: Hashable, Sendable, CustomStringConvertible {
        case done
        case status(Int)
        case lost
        case unanswered
        case refused
        case notPaired

        /// The outcomes that have a name.
        static let named: [Outcome] = [.done, .lost, .unanswered, .refused, .notPaired]

        var description: String {
            switch self {
            case .done: "done"
            case .status(let status): "\(status)"
            case .lost: "lost"
            case .unanswered: "unanswered"
            case .refused: "refused"
            case .notPaired: "not-paired"
            }
        }
    }

    /// Reads a scenario file and its accessory files, whose paths are relative to the scenario's folder.
    ///
    /// - Throws: ``SimulatorError`` with the code `unreadableFile` or `invalidFile`; the reason names the line and the
    ///   field.
    public init(file path: String) throws(SimulatorError) {
        let bytes = try BoundedFile(kind: "scenario file", path: path, limit: Self.fileSize).bytes()
        let folder = URL(filePath: path).deletingLastPathComponent().path()
        try self.init(parsing: bytes, source: path, folder: folder)
    }

    init(
        name: String,
        seed: UInt64,
        files: [String],
        apps: [String],
        home: Home? = nil,
        end: Duration,
        steps: [Step]
    ) {
        self.name = name
        self.seed = seed
        self.files = files
        self.apps = apps
        self.home = home
        self.end = end
        self.steps = steps
    }

    /// The time when all expectations are decided.
    var lastTime: Duration {
        steps.reduce(end) { last, step in
            switch step.action {
            case .expectEvent(_, _, _, let within, _): max(last, step.time + within)
            default: max(last, step.time)
            }
        }
    }
}
