import ArgumentParser
import Foundation
import HomeModel
import HomeText
import HubAPI

/// `hearth automation test`: says what a trigger would do now, and when it fires next.
struct AutomationTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Test whether an automation would run now.",
        discussion: """
            Prints whether it would run if one of its times or events came now, each term of its condition with what \
            decided it, and when it runs next. Nothing runs.

            Example: hearth automation test "Evening"
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The automation.") var name: String

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let record = try home.automation(name)
        let time = try await HubTime(of: client)
        let target = ItemTarget(home: home.home.id, id: record.id)
        let forecast = try await client.call(HubMethods.testTrigger, target)
        let report = AutomationForecast(forecast, of: record, home.sentences(at: time), time)
        if options.json {
            JSONLine(report).print()
        } else {
            for line in report.lines(time) { ProgramOutput.line(line) }
        }
    }
}

/// What an automation would do now.
struct AutomationForecast: Encodable {
    /// A term of its condition.
    struct Term: Encodable {
        var term: String
        var isTrue: Bool
        /// What decided it; left out if the term says it.
        var facts: String?
    }

    var id: UUID
    var name: String
    var sentence: String
    var wouldRun: Bool
    /// Why it would not run, as a code; left out if only its condition is false, or if it would run.
    var obstacle: String?
    /// The same for people.
    var reason: String?
    var conditions: [Term]
    var next: Date?

    /// Describes a forecast of the hub.
    init(_ forecast: TriggerForecast, of record: TriggerRecord, _ sentences: TriggerSentence, _ time: HubTime) {
        id = record.id
        name = record.name
        sentence = sentences.text(record)
        wouldRun = forecast.wouldRun
        obstacle = forecast.obstacle?.rawValue
        reason = forecast.wouldRun ? nil : sentences.reason(forecast.obstacle ?? .conditionFalse)
        conditions = forecast.observations.map { observation in
            Term(
                term: sentences.condition(observation.term),
                isTrue: observation.isTrue,
                facts: sentences.facts(observation, at: time.now)
            )
        }
        next = forecast.next
    }

    /// The forecast for people.
    func lines(_ time: HubTime) -> [String] {
        var lines = [sentence]
        lines.append(reason.map { "It would not run now: \($0)." } ?? "It would run now.")
        for term in conditions {
            let facts = term.facts.map { " (\($0))" } ?? ""
            lines.append("  \(term.isTrue ? "true: " : "false:") \(term.term)\(facts)")
        }
        lines.append(next.map { "Next: \(time.text($0))" } ?? "Next: when one of its events happens")
        return lines
    }
}
