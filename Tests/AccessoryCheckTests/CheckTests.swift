import AccessoryCheck
import Foundation
import HAP
import HAPCatalog
import Synchronization
import Testing

@testable import HAPServer

@Suite struct CheckTests {
    /// The results of a run, by ID.
    private func results(
        of accessory: CheckedAccessory,
        isPaired: Bool,
        _ change: (inout CheckOptions) -> Void = { _ in }
    ) async throws -> (summary: CheckSummary, results: [String: CheckResult]) {
        var options = try await accessory.options(isPaired: isPaired)
        change(&options)
        let summary = await CheckRunner(target: await accessory.target, options: options).run { _ in }
        return (summary, Dictionary(summary.results.map { ($0.id, $0) }) { first, _ in first })
    }

    @Test func ourServerPassesEveryCheckStrictly() async throws {
        // Without attacks, no more than three of the accessory's tries are used.
        let tries = Mutex(0)
        let counting = Twin.response { response, request, _ in
            if request.path == "/pair-setup", response.body == [6, 1, 4, 7, 1, 2] { tries.withLock { $0 += 1 } }
            return nil
        }
        try await CheckedAccessory.run(counting, isPaired: false) { accessory in
            let (summary, results) = try await results(of: accessory, isPaired: false)
            #expect(summary.problems == [])
            for result in summary.results where result.outcome != .passed {
                Issue.record("\(result.id): \(result.word), \(result.detail ?? "")")
            }
            #expect(results.count == Check.all.count { $0.group != .attacks })
            #expect(summary.before.dropFirst(1) == summary.after.dropFirst(1))
            #expect(await !accessory.isPaired)
            #expect((1...3).contains(tries.withLock { $0 }))
        }
    }

    @Test func everyCheckHasABrokenTwin() {
        let ids = Check.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids) == Set(Twins.all.keys))
    }

    @Test(arguments: Check.all.map(\.id)) func aCheckFailsAtItsBrokenTwin(_ id: String) async throws {
        let make = try #require(Twins.all[id])
        let twin = make()
        try await CheckedAccessory.run(twin, isPaired: !twin.isUnpaired) { accessory in
            let results = try await results(of: accessory, isPaired: !twin.isUnpaired) {
                $0.only = [id]
                $0.attacks = true
            }
            let result = try #require(results.results[id])
            #expect(
                result.isFailure(isStrict: true),
                "\(result.word): \(result.detail ?? "") \(results.summary.problems)"
            )
        }
    }
}
