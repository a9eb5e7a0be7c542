import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

/// Attacks the server with all that `hearth check accessory --attacks` sends.
@Suite struct AttackTests {
    @Test func noAttackHarmsTheServerAndEachIsRefusedAsAppleDoes() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            let credentials = try #require(try storage.load(StoredCredentials.self))
            var options = CheckOptions(access: .code(try SetupCode(TestServer.code)))
            options.only = ["attacks"]
            options.attacks = true
            options.requiresExactRefusals = true
            options.responseTime = .seconds(120)
            options.attackTime = .seconds(3600)
            options.quietTime = .zero
            let target = CheckTarget(host: "127.0.0.1", port: server.port)
            let summary = await CheckRunner(target: target, options: options).run { _ in }
            #expect(summary.problems == [])
            for result in summary.results where result.outcome != .passed {
                Issue.record("\(result.id): \(result.word), \(result.detail ?? "")")
            }
            #expect(summary.results.count == Check.all.count { $0.group == .attacks })
            // Nothing is left behind.
            try await server.waitForNoConnections()
            let pairings = try #require(try storage.load(StoredPairings.self))
            #expect(pairings.pairings == [])
            #expect(pairings.failedTries == 0)
            #expect(try storage.load(StoredCredentials.self) == credentials)
            #expect(try await server.server.value(of: .on) == .bool(false))
            #expect(try await server.server.value(of: .brightness) == .integer(50))
        }
    }
}
