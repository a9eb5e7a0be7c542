import Foundation

/// What a process occupies, in megabytes of 1,000,000 bytes.
struct ProcessMemory {
    /// All pages that the process has in memory.
    let resident: Double
    /// The same, with pages that several processes share divided among them.
    let proportional: Double

    init(of process: Int32) throws {
        let path = "/proc/\(process)/smaps_rollup"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw BenchFailure("\(path) cannot be read")
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
