import ArgumentParser
import Foundation
import HomeModel
import HomeText
import HubAPI

/// `hearth why`: says why an accessory, a scene or an automation did what it last did.
struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explain the last change of an accessory.",
        discussion: """
            Says what changed, when, and what caused it: a person with an app, a scene, an automation with its event and \
            condition, or the accessory itself. For an automation, it also says why it did not run.

            Examples:
              hearth why "Desk Lamp"
              hearth why "Evening"
            """
    )

    /// The explanation in JSON.
    private struct Explanation: Encodable {
        var id: UUID
        var name: String
        /// The sentences for people; left out if nothing is recorded.
        var text: String?
        /// What happened, then its causes, each caused by the next.
        var entries: [JournalRow]
    }

    @OptionGroup var options: ClientOptions
    @Argument(help: "An accessory, a scene or an automation.") var name: String

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let objects = try home.explainedObjects(name)
        var (object, chain): (ExplainedObject?, [JournalEntry]) = (nil, [])
        // A scene and an automation of the same name: whichever did something last.
        for candidate in objects {
            let target = ItemTarget(home: home.home.id, id: candidate.id)
            let entries = try await client.call(HubMethods.explain, target).entries
            let isLater = (entries.first?.time ?? .distantPast) > (chain.first?.time ?? .distantPast)
            if object == nil || isLater { (object, chain) = (candidate, entries) }
        }
        guard let object else { return }
        let time = try await HubTime(of: client)
        let sentences = JournalSentence(timeZone: time.timeZone, now: time.now)
        let text = sentences.explanation(chain)
        if options.json {
            let rows = chain.map { JournalRow($0, sentences) }
            JSONLine(Explanation(id: object.id, name: object.name, text: text, entries: rows)).print()
        } else {
            ProgramOutput.line(text ?? "Nothing has been recorded about “\(object.name)” yet.")
        }
    }
}
