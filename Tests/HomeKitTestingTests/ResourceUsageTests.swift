import Foundation
import HomeKitTesting
import Testing

/// The resources that a home uses, and their release.
@Suite(.serialized)
struct ResourceUsageTests {
    /// The system resources that this process uses.
    struct ResourceUsage: Equatable, CustomStringConvertible {
        var files: Int
        var threads: Int

        static func now() throws -> ResourceUsage {
            let manager = FileManager.default
            return ResourceUsage(
                files: try manager.contentsOfDirectory(atPath: "/proc/self/fd").count,
                threads: try manager.contentsOfDirectory(atPath: "/proc/self/task").count
            )
        }

        /// Returns whether more resources are used. The system's thread pool may grow by the number of processors.
        func exceeds(_ other: ResourceUsage) -> Bool {
            files > other.files || threads > other.threads + ProcessInfo.processInfo.activeProcessorCount
        }

        var description: String { "\(files) files, \(threads) threads" }
    }

    /// Runs a home with three accessories, one of which an app uses.
    static func useHome(over link: TestLink) async throws {
        try await withTestHome(over: link) { home in
            try await home.add(.outlet("Kettle"))
            try await home.add(.lock("Door"))
            let lamp = try await home.add(.lamp("Desk"))
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            #expect(try await lamp[\.on] == true)
        }
    }

    /// Runs in a separate process, where nothing else opens files or starts threads.
    @Test(arguments: TestLink.allCases)
    func twoHundredHomesLeaveNothingBehind(link: TestLink) async {
        await #expect(processExitsWith: .success) { [name = link.rawValue as String] in
            let link = try #require(TestLink(rawValue: name))
            for _ in 0..<20 { try await ResourceUsageTests.useHome(over: link) }
            let before = try ResourceUsage.now()
            let (start, used) = (ContinuousClock.now, ResourceUsageTests.processorTime())
            for _ in 0..<200 { try await ResourceUsageTests.useHome(over: link) }
            let (elapsed, spent) = (ContinuousClock.now - start, ResourceUsageTests.processorTime() - used)
            // Resources are released a moment later.
            let end = ContinuousClock.now + TestHome.waitLimit
            while try ResourceUsage.now().exceeds(before), ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
            }
            let after = try ResourceUsage.now()
            print("200 homes over \(link): \(elapsed), \(spent) of the processors; \(before), then \(after)")
            let isMore = after.exceeds(before)
            #expect(!isMore, "\(before), then \(after)")
            let left = try FileManager.default.contentsOfDirectory(atPath: TestHome.folders.path)
                .filter { $0.hasSuffix("-\(getpid())") }
            #expect(left.isEmpty)
        }
    }

    private static func processorTime() -> Duration {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let parts = [usage.ru_utime, usage.ru_stime]
        return .seconds(parts.map { Int($0.tv_sec) }.reduce(0, +))
            + .microseconds(parts.map { Int($0.tv_usec) }.reduce(0, +))
    }
}
