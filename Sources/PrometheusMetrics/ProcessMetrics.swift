import Foundation
import Glibc

/// The standard metrics of this process, as `/proc` has them. Source: Prometheus, “Writing client libraries”.
package enum ProcessMetrics {
    /// The metrics in the text format 0.0.4; those that cannot be found out are left out.
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
            // The first of these fields is the third of the file.
            status.indices.contains(number - 3) ? Double(status[number - 3]) : nil
        }
        var time: Double?
        if let user = field(14), let system = field(15) { time = (user + system) / ticks }
        write("process_cpu_seconds_total", "CPU time, of the program and of the system for it.", .counter, time)
        write("process_resident_memory_bytes", "Memory that is present.", .gauge, field(24).map { $0 * pages })
        write("process_virtual_memory_bytes", "Memory that is addressed.", .gauge, field(23))
        let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        // Looking takes one itself.
        write("process_open_fds", "Files and sockets that are open.", .gauge, files.map { Double($0 - 1) })
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            write("process_max_fds", "Files and sockets that may be open.", .gauge, Double(limit.rlim_cur))
        }
        write("process_start_time_seconds", "When the process started, since 1970.", .gauge, start)
        return writer.text
    }

    /// When the process started, in seconds since 1970. Found out once, so that it changes when the process does and at no
    /// other time. By the time since the machine started: when that was is not to be read where only processes are shown.
    private static let start: Double? = {
        let status = fields()
        guard status.count > 19, let ticks = Double(status[19]) else { return nil }
        return now(CLOCK_REALTIME) - (now(CLOCK_BOOTTIME) - ticks / Double(sysconf(Int32(_SC_CLK_TCK))))
    }()

    /// What follows the program's name in `/proc/self/stat`; the name may have anything in it.
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
