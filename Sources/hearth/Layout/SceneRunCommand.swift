import ArgumentParser
import Foundation
import HomeModel
import HomeText
import HubAPI

/// `hearth scene run`: runs an action set.
struct SceneRunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a scene.",
        discussion: """
            Prints whether all actions were carried out, and otherwise which failed and why. Exit code 0 means that all \
            were.

            Example: hearth scene run "Movie Night"
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The scene.") var name: String

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let scene = try home.scene(name)
        let target = ItemTarget(home: home.home.id, id: scene.id)
        let result = try await client.call(HubMethods.runActionSet, target, waitingFor: "“\(scene.name)”")
        let report = SceneRunReport(result, of: scene, in: home.home)
        if options.json {
            JSONLine(report).print()
        } else {
            for line in report.lines { ProgramOutput.line(line) }
        }
        if let failure = report.failure { throw failure }
    }
}

/// The result of running a scene.
struct SceneRunReport: Encodable {
    /// Whether the actions were carried out.
    enum Outcome: String, Encodable {
        /// All were.
        case done
        /// Some were.
        case partlyDone
        /// None was.
        case failed
    }

    /// An action that failed.
    struct Failure: Encodable {
        var accessory: String?
        /// What was to be done, such as “turn Desk Lamp on”.
        var action: String?
        var error: HubError
    }

    var id: UUID
    var name: String
    var outcome: Outcome
    var actions: Int
    var failures: [Failure]

    /// Describes a result with the names of the home.
    init(_ result: ActionSetResult, of scene: ActionSetRecord, in home: Home) {
        let sentences = TriggerSentence(names: HomeVocabulary(home), timeZone: .gmt)
        id = scene.id
        name = scene.name
        actions = result.actions
        failures = result.failures.map { failure in
            Failure(
                accessory: failure.accessory.flatMap { home.accessories[id: $0]?.name },
                action: scene.actions.first { $0.id == failure.action }.map(sentences.text),
                error: failure.error
            )
        }
        outcome = failures.isEmpty ? .done : failures.count < actions ? .partlyDone : .failed
    }

    /// The result for people: a line for the scene, and one for each action that failed.
    var lines: [String] {
        let count = "\(actions) action\(actions == 1 ? "" : "s")"
        let first =
            switch outcome {
            case .done: "“\(name)” is done: \(count)."
            case .partlyDone: "“\(name)” is partly done: \(actions - failures.count) of \(count)."
            case .failed: "“\(name)” failed: none of \(count) was carried out."
            }
        return [first]
            + failures.map { failure in
                let subject = failure.action ?? failure.accessory ?? "an action that is gone"
                return "  \(subject): \(failure.error.reason)"
            }
    }

    /// The error with which the command ends; `nil` if all actions were carried out.
    var failure: CommandFailure? {
        let names = Set(failures.map { $0.accessory ?? "an accessory that is gone" }).sorted().joined(separator: ", ")
        return switch outcome {
        case .done: nil
        case .partlyDone:
            CommandFailure(
                "actionSetExecutionPartialSuccess",
                "\(failures.count) of \(actions) actions failed: \(names)."
            )
        case .failed: CommandFailure("actionSetExecutionFailed", "All actions failed: \(names).")
        }
    }
}
