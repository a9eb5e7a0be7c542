import ArgumentParser
import Foundation
import HomeText
import HubAPI

/// `hearth clock`: shows the hub's time, and advances a manual clock.
struct ClockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock",
        abstract: "Show the hub's time, and advance a manual clock.",
        discussion: """
            A hub with “--clock manual” has a clock that only advances on request, so that a week of automations runs in a \
            moment.

            Example: hearth clock advance 7d
            """,
        subcommands: [Show.self, Advance.self],
        defaultSubcommand: Show.self
    )

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show the hub's time.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let time = try await HomeClient(options).call(HubMethods.clock, Empty())
            ClockOutput(time).print(options)
        }
    }

    struct Advance: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "advance",
            abstract: "Advance a manual clock.",
            discussion: """
                A duration is a number with s, m, h, d or w, or several of them: 90s, 5m, 1h30m, 7d. The command ends \
                once everything that was due has happened, and prints the new time.

                Example: hearth clock advance 7d
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The duration.") var duration: String

        func run() async throws {
            guard let seconds = DurationText.seconds(of: duration) else {
                throw CommandFailure(
                    "invalidParameter",
                    "“\(duration)” is not a duration. Use a form such as 90s, 5m, 2h, 7d or 1w."
                )
            }
            let request = AdvanceClock(milliseconds: Int64(seconds) * 1_000)
            let client = try await HomeClient(options)
            let time = try await client.call(HubMethods.advanceClock, request, waitingFor: "what was due")
            ClockOutput(time).print(options)
        }
    }
}

/// The hub's time as commands print it.
private struct ClockOutput: Encodable {
    var time: Date
    var milliseconds: Int64
    var isManual: Bool
    var timeZone: String
    private let text: String

    private enum CodingKeys: String, CodingKey {
        case time, milliseconds, isManual, timeZone
    }

    init(_ time: ClockTime) {
        let hub = HubTime(time)
        self.time = hub.now
        milliseconds = time.milliseconds
        isManual = time.isManual
        timeZone = time.timeZone
        text = "\(hub.text(hub.now, withSeconds: true)) \(time.timeZone)\(time.isManual ? " (manual clock)" : "")"
    }

    func print(_ options: ClientOptions) {
        if options.json { JSONLine(self).print() } else { ProgramOutput.line(text) }
    }
}
