import Foundation

/// Counts attempts to open TCP connections, including failed ones, from the kernel's statistics of the network
/// namespace.
struct ConnectionAttempts {
    private static let path = "/proc/net/snmp"

    /// The number of attempts so far.
    static func count() throws -> Int {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("Tcp:") }.map { $0.split(separator: " ") }
        guard lines.count == 2, let column = lines[0].firstIndex(of: "ActiveOpens"), lines[1].indices.contains(column),
            let count = Int(lines[1][column])
        else { throw BenchFailure("\(path) lists no connections") }
        return count
    }
}
