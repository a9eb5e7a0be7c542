import Foundation

/// Counts tries to open a TCP connection, failed ones included, by the kernel's account of the network namespace.
struct ConnectionAttempts {
    private static let path = "/proc/net/snmp"

    /// How many the machine has made by now.
    static func count() throws -> Int {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("Tcp:") }.map { $0.split(separator: " ") }
        guard lines.count == 2, let column = lines[0].firstIndex(of: "ActiveOpens"), lines[1].indices.contains(column),
            let count = Int(lines[1][column])
        else { throw BenchFailure("\(path) tells of no connections") }
        return count
    }
}
