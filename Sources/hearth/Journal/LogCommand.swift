import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// `hearth log`: prints the journal, or what a sensor measured.
struct LogCommand: AsyncParsableCommand {
    /// The number of entries that are printed without a limit.
    static let standardLimit = 100
    private static let day: TimeInterval = 24 * 60 * 60

    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Print what happened in the home.",
        discussion: """
            The newest entry is last. A time is a duration (30m, 2h, 7d), a time of day (19:00), or a date (2026-11-22, or \
            "2026-11-22 19:00").

            Numbers that sensors measure aren't entries. They are kept once a minute for 30 days: --plot draws them, and \
            --csv prints them.

            Examples:
              hearth log --since 2h
              hearth log "Desk Lamp" --limit 20
              hearth log "Kitchen Sensor" --plot
            """
    )

    @OptionGroup var options: ClientOptions
    @Argument(help: "An accessory, a scene or an automation (default: everything).") var name: String?

    @Option(help: ArgumentHelp("Print entries since a time.", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Print entries about an accessory.", valueName: "name"))
    var accessory: String?

    @Option(
        help: ArgumentHelp("Print at most so many entries (default: 100, or all with --since).", valueName: "number")
    )
    var limit: Int?

    @Flag(help: "Draw a sensor's values (default: of the last day).")
    var plot = false

    @Flag(help: "Print a sensor's values as CSV (default: of the last day).")
    var csv = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1, not \(limit).") }
        if name != nil, accessory != nil { throw ValidationError("Name one object, or use --accessory.") }
        guard plot || csv else { return }
        if plot, csv { throw ValidationError("Use --plot or --csv.") }
        if name == nil, accessory == nil { throw ValidationError("Name the sensor.") }
        if limit != nil { throw ValidationError("--limit is not for a sensor's values. Use --since.") }
    }

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let time = try await HubTime(of: client)
        let start = try since.map { try SinceTime.date(of: $0, at: time) }
        let reader = JournalReader(client: client, home: home.home.id)
        if plot || csv {
            let subject = try home.subject(accessory ?? name ?? "")
            try await printSamples(of: subject, since: start ?? time.now - Self.day, reader, time)
            return
        }
        var objects: [UUID]?
        if let accessory { objects = [try home.subject(accessory).accessory.id] }
        if let name { objects = try home.explainedObjects(name).map(\.id) }
        let limit = limit ?? (start == nil ? Self.standardLimit : .max)
        let entries = try await reader.entries(about: objects, since: start, limit: limit)
        let sentences = JournalSentence(timeZone: time.timeZone, now: time.now)
        if options.json {
            JSONLine(entries.reversed().map { JournalRow($0, sentences) }).print()
            return
        }
        let byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
        let line = JournalLine(sentences: sentences, time: time, home: home.home)
        for entry in entries.reversed() { ProgramOutput.line(line.text(entry, among: byID)) }
    }

    // MARK: Samples

    /// A characteristic's values in JSON.
    private struct SeriesRow: Encodable {
        var characteristic: String
        var iid: UInt64
        var unit: String?
        var times: [Date]
        var values: [Double]
    }

    private func printSamples(
        of subject: Subject,
        since: Date,
        _ reader: JournalReader,
        _ time: HubTime
    ) async throws {
        let shapes = Dictionary(subject.services.flatMap(\.characteristics).map { ($0.iid, $0) }) { first, _ in first }
        let series = try await reader.samples(of: subject.accessory.id, since: since)
            .compactMap { series in shapes[series.iid].map { (shape: $0, series: series) } }
        guard !series.isEmpty else {
            throw CommandFailure(
                "noSamples",
                "“\(subject.accessory.name)” has no recorded measurements since \(time.text(since))."
            )
        }
        if csv {
            ProgramOutput.line("time,characteristic,value")
            for (shape, series) in series {
                for (time, value) in zip(series.times, series.values) {
                    let date = Date(timeIntervalSince1970: Double(time) / 1_000).formatted(.iso8601)
                    ProgramOutput.line("\(date),\(shape.displayName),\(CharacteristicValue.double(value))")
                }
            }
        } else if options.json {
            JSONLine(
                series.map { shape, series in
                    SeriesRow(
                        characteristic: shape.displayName,
                        iid: series.iid,
                        unit: shape.metadata.unit?.rawValue,
                        times: series.times.map { Date(timeIntervalSince1970: Double($0) / 1_000) },
                        values: series.values
                    )
                }
            ).print()
        } else {
            for (shape, series) in series {
                let values = ValueText(shape)
                let plot = SamplePlot(series, from: since, to: time.now, width: ProgramOutput.width)
                ProgramOutput.line("\(subject.accessory.name) \(shape.displayName)")
                let lines = plot.lines(value: { values.text(of: $0) }, time: { time.text($0) })
                for line in lines { ProgramOutput.line(line) }
            }
        }
    }
}
