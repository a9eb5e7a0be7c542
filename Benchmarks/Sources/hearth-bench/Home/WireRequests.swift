import Foundation

/// Counts a process's requests on TCP connections, from the kernel's statistics.
struct WireRequests {
    /// Returns the segments with data that a process has sent. On loopback, this is one per request of a hub that
    /// awaits replies.
    static func count(of process: Int32) throws -> Int {
        let listing = Process()
        listing.executableURL = URL(filePath: "/usr/bin/env")
        listing.arguments = ["ss", "-tinpHO", "state", "established"]
        let output = Pipe()
        listing.standardOutput = output
        try listing.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        listing.waitUntilExit()
        guard listing.terminationStatus == 0 else { throw BenchFailure("ss lists no connections") }
        return text.split(separator: "\n").filter { $0.contains("pid=\(process),") }.reduce(0) { sum, line in
            let field = line.split(separator: " ").first { $0.hasPrefix("data_segs_out:") }
            return sum + (field.flatMap { Int($0.split(separator: ":")[1]) } ?? 0)
        }
    }
}
