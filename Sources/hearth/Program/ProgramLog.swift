import Foundation
import Logging

/// The loggers of the command's services.
enum ProgramLog {
    /// Logs to standard error.
    static let standard = Logger(label: "hearth") { StreamLogHandler.standardError(label: $0) }
    /// Logs nothing below an error, for commands that have a screen of their own.
    static var quiet: Logger {
        var log = standard
        log.logLevel = .error
        return log
    }
}
