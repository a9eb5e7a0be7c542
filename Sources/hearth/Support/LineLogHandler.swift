import Foundation
import Logging

/// Writes each event of a log as one line on standard error.
///
/// Names come from the network and from people, so what is not to be printed is escaped: no text can end its line and
/// begin another.
struct LineLogHandler: LogHandler {
    /// How a line looks.
    struct Form: Hashable, Sendable {
        /// Whether it is a JSON object.
        var isJSON = false
        /// Whether it goes to the system's journal, which has the time already and takes the level from the line's
        /// beginning, as `sd-daemon(3)` describes.
        var isForJournal = false
    }

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    private let form: Form
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - now: The time that lines show.
    ///   - write: Takes a line without its end.
    init(
        _ form: Form,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void = { ProgramOutput.note($0) }
    ) {
        self.form = form
        self.now = now
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var metadata = self.metadata
        if let provided = metadataProvider?.get() { metadata.merge(provided) { $1 } }
        if let given = event.metadata { metadata.merge(given) { $1 } }
        if let error = event.error { metadata["error"] = "\(error)" }
        let priority = form.isForJournal ? "<\(event.level.priority)>" : ""
        write(priority + (form.isJSON ? object(event, metadata) : line(event, metadata)))
    }

    private func line(_ event: LogEvent, _ metadata: Logger.Metadata) -> String {
        var words = form.isForJournal ? [] : [time, event.level.rawValue]
        words.append(event.message.description.printable)
        words += metadata.sorted { $0.key < $1.key }.map { "\($0)=\($1.description.asLogValue)" }
        return words.joined(separator: " ")
    }

    private func object(_ event: LogEvent, _ metadata: Logger.Metadata) -> String {
        /// A line of the log as programs read it.
        struct Line: Encodable {
            var event = "log"
            var time: String
            var level: String
            var message: String
            var metadata: [String: String]?
        }
        let line = Line(
            time: time,
            level: event.level.rawValue,
            message: event.message.description,
            metadata: metadata.isEmpty ? nil : metadata.mapValues(\.description)
        )
        return JSONLine(line).text
    }

    private var time: String {
        let day = Date.ISO8601FormatStyle().year().month().day()
        return now().formatted(day.timeZone(separator: .omitted).time(includingFractionalSeconds: true))
    }
}

extension Logger.Level {
    /// The level among those of `syslog(3)`, which the journal has.
    fileprivate var priority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}

extension String {
    /// The text on one line: what controls a terminal or ends a line is escaped.
    fileprivate var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The text as a value behind its key: in quotes where it could be read as more than one word.
    fileprivate var asLogValue: String {
        let isWord = !isEmpty && !contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
        guard !isWord else { return printable }
        let quoted = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(quoted.printable)\""
    }
}
