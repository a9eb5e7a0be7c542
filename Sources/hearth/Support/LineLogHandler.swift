import Foundation
import Logging

/// A log handler that writes each event as one line to standard error.
///
/// Names come from the network and from users. Characters that aren't printable are escaped, so that a name can't end
/// its line and forge another.
struct LineLogHandler: LogHandler {
    /// The format of a line.
    struct Form: Hashable, Sendable {
        /// Whether the line is a JSON object.
        var isJSON = false
        /// Whether the line goes to the system's journal. The journal records the time itself, and reads the level from
        /// the line's prefix, as `sd-daemon(3)` describes.
        var isForJournal = false
    }

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info

    private let form: Form
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - form: The format of the lines.
    ///   - now: A closure that returns the current time.
    ///   - write: A closure that receives each line, without a line break.
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
        if let eventMetadata = event.metadata { metadata.merge(eventMetadata) { $1 } }
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
        /// A line in JSON.
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
    /// The level's number in `syslog(3)`, which the journal uses.
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
    /// The text on one line, with control characters and line breaks escaped.
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

    /// The text as a field's value, in quotes if it contains spaces, quotes or equals signs, or is empty.
    fileprivate var asLogValue: String {
        let isToken = !isEmpty && !contains { $0.isWhitespace || $0 == "\"" || $0 == "=" }
        guard !isToken else { return printable }
        let quoted = replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(quoted.printable)\""
    }
}
