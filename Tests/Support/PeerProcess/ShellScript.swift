import Foundation

/// Commands that a test runs to their end.
public enum ShellScript {
    private static let end = "-- end of script"

    /// Runs a script of the shell to its end. The first command that fails ends it.
    ///
    /// - Parameters:
    ///   - script: What `bash` is to run.
    ///   - wrapper: A program and its arguments that start the shell; none for the shell alone.
    ///   - limit: How long it may take.
    /// - Returns: What it wrote, standard error included.
    /// - Throws: ``PeerProcessError`` if it fails, or takes too long.
    @discardableResult
    public static func run(
        _ script: String,
        through wrapper: [String] = [],
        within limit: Duration = Wait.limit
    ) async throws -> String {
        let prologue = "exec 2>&1 </dev/null; set -eo pipefail; trap 'echo; echo \"\(end) $?\"' EXIT; "
        let words = wrapper + ["/bin/bash", "-c", prologue + script]
        let shell = try PeerProcess(URL(filePath: words[0]), Array(words.dropFirst()))
        let last: String
        do {
            last = try await shell.line("the end of the script", within: limit) { $0.hasPrefix(end) }
        } catch {
            await shell.terminate()
            throw error
        }
        await shell.exit()
        let output = shell.transcript.components(separatedBy: "\n\(end)").first ?? ""
        guard last == "\(end) 0" else { throw PeerProcessError("failed: \(script)\n\(output)") }
        return output
    }
}
