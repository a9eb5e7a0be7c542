import Foundation

/// Shell scripts that a test runs to their end.
public enum ShellScript {
    private static let end = "-- end of script"

    /// Runs a shell script to its end. It stops at the first command that fails.
    ///
    /// - Parameters:
    ///   - script: The script for `bash`.
    ///   - wrapper: A program and its arguments that start the shell; empty for the shell alone.
    ///   - limit: The maximum duration.
    /// - Returns: The output, including standard error.
    /// - Throws: ``PeerProcessError`` if the script fails or takes too long.
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
