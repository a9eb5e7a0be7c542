import Foundation
import HomeKitTesting
import Testing

/// Concurrent homes don't see each other, in one process or in two.
struct IsolationTests {
    @Test(arguments: TestLink.allCases)
    func homesAtTheSameTimeHaveEachTheirOwnAccessories(link: TestLink) async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<8 {
                group.addTask { try await Self.live(in: "Home \(number)", over: link) {} }
            }
            try await group.waitForAll()
        }
    }

    @Test(arguments: TestLink.allCases)
    func homesOfTwoProcessesHaveEachTheirOwnAccessories(link: TestLink) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "kit-processes-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        async let first: Void = Self.process("First", "Second", folder, link.rawValue)
        async let second: Void = Self.process("Second", "First", folder, link.rawValue)
        _ = await (first, second)
    }

    /// Runs a process with a home, which lives until the other process's home exists too.
    private static func process(_ name: String, _ other: String, _ folder: String, _ link: String) async {
        await #expect(processExitsWith: .success) { [name, other, folder, link] in
            let link = try #require(TestLink(rawValue: link))
            try await IsolationTests.live(in: name, over: link) {
                try Data().write(to: URL(filePath: "\(folder)/\(name)"))
                let end = ContinuousClock.now + TestHome.waitLimit
                while !FileManager.default.fileExists(atPath: "\(folder)/\(other)"), ContinuousClock.now < end {
                    try await Task.sleep(for: .milliseconds(10))
                }
                #expect(FileManager.default.fileExists(atPath: "\(folder)/\(other)"))
            }
        }
    }

    /// Runs a home whose apps must only see the home's own objects, before and after something happens elsewhere.
    private static func live(
        in name: String,
        over link: TestLink,
        _ somethingHappens: () async throws -> Void
    ) async throws {
        try await withTestHome(named: name, over: link) { home in
            try await home.add(.lamp("Lamp of \(name)"))
            try await home.addUnpaired(.lock("Lock of \(name)"))
            let app = home.app("A")
            let browser = app.run { HMAccessoryBrowser() }
            browser.startSearchingForNewAccessories()
            let (lamps, locks) = (["Lamp of \(name)"], ["Lock of \(name)"])
            try await home.until("the lock is found", is: locks) { browser.discoveredAccessories.map(\.name) }
            try await somethingHappens()
            #expect(try await app.home().accessories.map(\.name) == lamps)
            #expect(app.manager.homes.map(\.name) == [name])
            #expect(browser.discoveredAccessories.map(\.name) == locks)
        }
    }
}
