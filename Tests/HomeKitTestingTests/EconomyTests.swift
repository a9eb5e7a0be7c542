import Foundation
import HomeKitTesting
import Testing

/// What a home costs, and that nothing of it is left.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EconomyTests {
    /// What this process holds of the system.
    struct Holdings: Equatable, CustomStringConvertible {
        var files: Int
        var threads: Int

        static func now() throws -> Holdings {
            let manager = FileManager.default
            return Holdings(
                files: try manager.contentsOfDirectory(atPath: "/proc/self/fd").count,
                threads: try manager.contentsOfDirectory(atPath: "/proc/self/task").count
            )
        }

        var description: String { "\(files) files, \(threads) threads" }
    }

    /// A home with three accessories, one of which an app uses.
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

    @Test(arguments: TestLink.allCases)
    func twoHundredHomesLeaveNothingBehind(link: TestLink) async throws {
        let folder = FileManager.default.temporaryDirectory
        for _ in 0..<20 { try await Self.useHome(over: link) }
        let before = try Holdings.now()
        let (start, used) = (ContinuousClock.now, Self.processorTime())
        for _ in 0..<200 { try await Self.useHome(over: link) }
        let (elapsed, spent) = (ContinuousClock.now - start, Self.processorTime() - used)
        print("200 homes over \(link): \(elapsed), \(spent) of the processors; \(before), then \(try Holdings.now())")
        // What ends does so a moment later.
        let end = ContinuousClock.now + .seconds(20)
        while try Holdings.now().files > before.files || Holdings.now().threads > before.threads + 2 {
            guard ContinuousClock.now < end else { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        let after = try Holdings.now()
        #expect(after.files <= before.files && after.threads <= before.threads + 2, "\(before), then \(after)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.hasPrefix("hearth-test-")
        }
        #expect(left.isEmpty)
    }

    private static func processorTime() -> Duration {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let parts = [usage.ru_utime, usage.ru_stime]
        return .seconds(parts.map { Int($0.tv_sec) }.reduce(0, +))
            + .microseconds(parts.map { Int($0.tv_usec) }.reduce(0, +))
    }
}
