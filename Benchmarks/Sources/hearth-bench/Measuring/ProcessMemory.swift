import Foundation

/// The memory of a process, in megabytes of 1,000,000 bytes.
struct ProcessMemory {
    /// All pages of the process in memory.
    let resident: Double
    /// The same, with shared pages divided among the processes that share them.
    let proportional: Double

    init(of process: Int32) throws {
        let path = "/proc/\(process)/smaps_rollup"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw BenchFailure("\(path) can't be read")
        }
        resident = Self.megabytes("Rss:", in: text)
        proportional = Self.megabytes("Pss:", in: text)
    }

    private static func megabytes(_ key: String, in text: String) -> Double {
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? .nan
        return kilobytes * 1_024 / 1_000_000
    }
}
