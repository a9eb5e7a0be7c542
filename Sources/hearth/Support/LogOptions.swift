import ArgumentParser
import Foundation
import Logging

/// The log options of the hub, the simulator and the demo.
struct LogOptions: ParsableArguments {
    /// The environment variable that sets the default level.
    static let variable = "HEARTH_LOG_LEVEL"

    /// The levels of swift-log.
    enum Level: String, ExpressibleByArgument, CaseIterable {
        case trace, debug, info, notice, warning, error, critical
    }

    @Option(help: ArgumentHelp("The log level (default: $\(variable)).", valueName: "level"))
    var logLevel: Level?

    func validate() throws {
        guard logLevel == nil, let name = Self.environmentLevel, Level(rawValue: name) == nil else { return }
        let levels = Level.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("\(Self.variable) is “\(name)”, which isn't one of \(levels).")
    }

    /// Returns a logger.
    ///
    /// - Parameters:
    ///   - level: The level if neither the option nor the environment sets one.
    ///   - json: Whether lines are JSON.
    func logger(otherwise level: Level, json: Bool) -> Logger {
        let form = LineLogHandler.Form(isJSON: json, isForJournal: Self.isForJournal)
        var log = Logger(label: "hearth") { _ in LineLogHandler(form) }
        let chosen = logLevel ?? Self.environmentLevel.flatMap { Level(rawValue: $0) } ?? level
        if let level = Logger.Level(rawValue: chosen.rawValue) { log.logLevel = level }
        return log
    }

    /// The level in the environment, or `nil` if it isn't set.
    private static var environmentLevel: String? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether standard error is the stream that the service manager connected to the journal, rather than a
    /// redirection.
    private static var isForJournal: Bool {
        guard let stream = ProcessInfo.processInfo.environment["JOURNAL_STREAM"] else { return false }
        var status = stat()
        return fstat(STDERR_FILENO, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }
}
