import ArgumentParser
import Foundation
import Logging

/// How much the command's services log, on standard error.
struct LogOptions: ParsableArguments {
    /// The variable that has the level where the command line does not.
    static let variable = "HEARTH_LOG_LEVEL"

    /// The levels of swift-log.
    enum Level: String, ExpressibleByArgument, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    @Option(help: ArgumentHelp("What to log; otherwise $\(variable).", valueName: "level"))
    var logLevel: Level?

    func validate() throws {
        guard logLevel == nil, let name = Self.given, Level(rawValue: name) == nil else { return }
        let levels = Level.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\(Self.variable) is “\(name)”; it takes one of \(levels).")
    }

    /// A logger of the level that was asked for.
    ///
    /// - Parameters:
    ///   - level: The level if none was.
    ///   - json: Whether lines are JSON.
    func logger(otherwise level: Level, json: Bool) -> Logger {
        let form = LineLogHandler.Form(isJSON: json, isForJournal: Self.isForJournal)
        var log = Logger(label: "hearth") { _ in LineLogHandler(form) }
        let chosen = logLevel ?? Self.given.flatMap { Level(rawValue: $0) } ?? level
        if let level = Logger.Level(rawValue: chosen.rawValue) { log.logLevel = level }
        return log
    }

    /// What the environment says; nil if nothing.
    private static var given: String? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether standard error is the stream that the service manager connected to the journal, and not one that somebody
    /// has put in its place.
    private static var isForJournal: Bool {
        guard let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        return fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }
}
