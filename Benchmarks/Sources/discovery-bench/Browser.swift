import DNSSD
import Foundation

/// A browser of one type on the loopback interface, in a separate process whose processor time and memory can be
/// measured.
///
/// It prints lines to standard output: `ready`; then `all` and the nanoseconds since browsing started, once it has
/// found the expected number of services; then `found`, the time of the monotonic clock and the name of each further
/// service. It starts browsing at the first line of standard input, and ends at its end.
struct Browser {
    /// The argument that runs the program as this browser, followed by the type and the count.
    static let argument = "browser"

    let type: ServiceType
    let count: Int

    init(_ arguments: ArraySlice<String>) throws {
        guard let type = arguments.first, let count = arguments.last.flatMap({ Int($0) }) else {
            throw BenchFailure("a browser needs a type and a count")
        }
        self.type = try ServiceType(type)
        self.count = count
    }

    func run() async throws {
        let discovery = try await MulticastDNS(interfaces: [.loopback])
        Self.report("ready")
        guard readLine() != nil else { return }
        let browsing = Task {
            let start = Self.now
            var names: Set<String> = []
            for await case .found(let service) in discovery.browse(type) {
                let at = Self.now
                let isNew = names.insert(service.instance.name).inserted
                if names.count == count, isNew {
                    Self.report("all \(at - start)")
                } else if names.count > count, isNew {
                    Self.report("found \(at) \(service.instance.name)")
                }
            }
        }
        await withCheckedContinuation { (end: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                while readLine() != nil {}
                end.resume()
            }
        }
        browsing.cancel()
        await discovery.shutdown()
    }

    private static func report(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// The time in nanoseconds, on the same clock as the services' program.
    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
