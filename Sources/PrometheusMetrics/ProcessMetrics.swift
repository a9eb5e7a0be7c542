import Foundation
import Glibc

/// The standard metrics of this process, from `/proc`. Source: Prometheus, “Writing client libraries”.
package enum ProcessMetrics {
    /// The metrics in the text format 0.0.4, without those that can't be determined.
    package static var exposition: String {
        var writer = ExpositionWriter()
        let pages = Double(sysconf(Int32(_SC_PAGESIZE)))
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        func write(_ name: String, _ help: String, _ kind: MetricKind, _ value: Double?) {
            guard let value else { return }
            writer.begin(name, help, kind)
            writer.sample(name, LabelSet(), value.asSample)
        }
        let status = fields()
        func field(_ number: Int) -> Double? {
            // The first of these fields is the third field of the file.
            status.indices.contains(number - 3) ? Double(status[number - 3]) : nil
        }
        var time: Double?
        if let user = field(14), let system = field(15) { time = (user + system) / ticks }
        write("process_cpu_seconds_total", "User and system CPU time in seconds.", .counter, time)
        write("process_resident_memory_bytes", "Resident memory in bytes.", .gauge, field(24).map { $0 * pages })
        let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // Listing the folder opens one file descriptor itself.
        write("process_open_fds", "Open file descriptors.", .gauge, files.map { Double($0 - 1) })
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            write("process_max_fds", "Maximum number of open file descriptors.", .gauge, Double(limit.rlim_cur))
        }
        write("process_start_time_seconds", "Start time of the process in seconds since 1970.", .gauge, start)
        return writer.text
    }

    /// The start time of the process in seconds since 1970. It is computed once, so that it only changes when the
    /// process restarts. It uses the time since boot, because `/proc` may not provide the boot time itself.
    private static let start: Double? = {
        let status = fields()
        guard status.count > 19, let ticks = Double(status[19]) else { return nil }
        return now(CLOCK_REALTIME) - (now(CLOCK_BOOTTIME) - ticks / Double(sysconf(Int32(_SC_CLK_TCK))))
    }()

    /// Returns the fields after the program's name in `/proc/self/stat`. The name can contain any character.
    private static func fields() -> [Substring] {
        guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return [] }
        return text[text.index(after: end)...].split(whereSeparator: \.isWhitespace)
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
