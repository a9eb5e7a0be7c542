import DNSSD
import Foundation

/// A browser of one type on loopback as a process of its own, so that its processor time and memory can be measured.
///
/// It tells of what it found on standard output, a line each: `ready`; `all` and the nanoseconds since the browse began,
/// once as many services are there as expected; then `found`, the moment by the monotonic clock, and the name of each
/// further one. It begins to browse with the first line of its standard input, and ends with its end.
struct Browser {
    /// The argument that makes the program this browser; the type and the count follow.
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
        Self.tell("ready")
        guard readLine() != nil else { return }
        let browsing = Task {
            let start = Self.now
            var names: Set<String> = []
            for await case .found(let service) in discovery.browse(type) {
                let at = Self.now
                let isNew = names.insert(service.instance.name).inserted
                if names.count == count, isNew {
                    Self.tell("all \(at - start)")
                } else if names.count > count, isNew {
                    Self.tell("found \(at) \(service.instance.name)")
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

    private static func tell(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Nanoseconds of the clock that the services' program goes by.
    private static var now: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
