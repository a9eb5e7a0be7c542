import AccessoryCheck
import ArgumentParser
import Foundation

/// The options of the commands that run checks: what they print and write, and what counts as a failure.
struct CheckReportOptions: ParsableArguments {
    @Flag(help: "List the checks, and don't run them.")
    var list = false

    @Flag(help: "Count warnings as failures.")
    var strict = false

    @Flag(help: "Print JSON lines.")
    var json = false

    @Flag(help: "Print the Test Anything Protocol.")
    var tap = false

    @Option(help: ArgumentHelp("A file to write JUnit's XML to.", valueName: "file"))
    var junit: String?

    @Option(help: ArgumentHelp("A folder for the messages of each check or scenario.", valueName: "folder"))
    var transcript: String?

    func validate() throws {
        guard !json || !tap else { throw ValidationError("Use either --json or --tap.") }
    }

    /// What prints the results.
    var lines: CheckLines { CheckLines(isJSON: json, isTAP: tap, isStrict: strict) }

    /// Creates the folder for transcripts, if there is to be one.
    func makeTranscriptFolder() throws {
        guard let transcript else { return }
        try FileManager.default.createDirectory(atPath: transcript, withIntermediateDirectories: true)
    }

    /// Writes the report, if there is to be one.
    func writeReport(_ results: [CheckResult]) throws {
        guard let junit else { return }
        try CheckReport(results, isStrict: strict).junit.write(toFile: junit, atomically: true, encoding: .utf8)
    }

    /// Throws an error if checks failed.
    func fail(_ count: Int) throws(CommandFailure) {
        guard count > 0 else { return }
        throw CommandFailure("checksFailed", count == 1 ? "1 check failed." : "\(count) checks failed.")
    }
}
