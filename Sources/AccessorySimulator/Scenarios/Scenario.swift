#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HAP
internal import HAPCatalog
internal import HAPServer

/// A play for simulated accessories and apps: who does what at which time, what goes wrong, and what is expected.
///
/// `Documentation/Scenarios.md` describes its file. It is run by a ``ScenarioRun``.
public struct Scenario: Sendable {
    /// Its name.
    public let name: String
    /// From what everything random comes, unless the run is given another seed.
    public var seed: UInt64
    /// The accessory files.
    public let files: [String]
    /// The names of the apps.
    public let apps: [String]
    /// How long it goes on at least.
    let end: Duration
    /// What happens, in the order of time.
    let steps: [Step]

    /// Something that happens in a scenario.
    struct Step: Sendable {
        let time: Duration
        /// Where it stands: `steps[3]`.
        let place: String
        let action: Action
        /// Its text, for errors that are found later.
        let node: FileNode
        /// The line where it begins; found anew each time.
        var line: Int { node.line }
    }

    /// What happens in a step.
    enum Action: Sendable {
        /// An app does something with an accessory.
        case app(name: String, AppAction, outcome: Outcome, within: Duration?)
        /// An app is to hear of a value, or not to.
        case expectEvent(app: String, Target, CharacteristicValue, within: Duration, isAbsent: Bool)
        /// Someone at the accessory sets a value, or presses a button.
        case set(Target, CharacteristicValue)
        case fault(Fault, accessory: String, characteristic: String?, service: String?)
        case clear(accessory: String)
    }

    /// What an app does.
    enum AppAction: Sendable {
        case pair(accessory: String)
        case list(accessory: String)
        case read(Target, expected: CharacteristicValue?)
        case write(Target, CharacteristicValue)
        case subscribe(Target)
    }

    /// A characteristic of a step.
    struct Target: Hashable, Sendable {
        /// As it is written: `Garage Door/TargetDoorState`.
        let text: String
        let address: CharacteristicAddress
        let metadata: CharacteristicMetadata
    }

    /// What becomes of an app's step.
    enum Outcome: Hashable, Sendable, CustomStringConvertible {
        case done
        case status(Int)
        case lost
        case unanswered
        case refused
        case notPaired

        /// Those that have a name.
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

    /// Reads a scenario file and the accessory files that it names, relative to its own folder.
    ///
    /// - Throws: ``SimulatorError`` with the code `unreadableFile` or `invalidFile`, whose reason names line and field.
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
        end: Duration,
        steps: [Step]
    ) {
        self.name = name
        self.seed = seed
        self.files = files
        self.apps = apps
        self.end = end
        self.steps = steps
    }

    /// When all that is expected has come or is missing.
    var lastTime: Duration {
        steps.reduce(end) { last, step in
            switch step.action {
            case .expectEvent(_, _, _, let within, _): max(last, step.time + within)
            default: max(last, step.time)
            }
        }
    }
}
