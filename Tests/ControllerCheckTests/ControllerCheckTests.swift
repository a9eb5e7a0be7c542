import AccessoryCheck
import Testing

@testable import ControllerCheck

@Suite struct ControllerCheckTests {
    @Test func everyCheckHasItsOwnIDAndABrokenTwin() {
        let ids = ControllerCheck.all.map(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(ids).isDisjoint(with: Check.all.map(\.id)))
        #expect(Set(ids).subtracting(Twins.all.keys).sorted() == [])
        #expect(Set(Twins.all.keys).subtracting(ids).sorted() == [])
        let names = Scenario.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(names).isDisjoint(with: Scenario.Kind.allCases.map(\.rawValue)))
    }

    @Test(arguments: ControllerCheck.all.map(\.id)) func aCheckFailsAtItsBrokenTwin(_ id: String) async throws {
        let twin = try #require(Twins.all[id])
        let scenario = Scenario.all.first { $0.checks.contains { $0.id == id } } ?? Scenario.all[0]
        let (summary, results, transcript) = await TestRun.results(
            of: scenario,
            isPaired: twin.isPaired,
            only: [id],
            discovery: scenario.needsAdvertising ? TestDiscovery() : nil,
            twin.run
        )
        let result = try #require(results[id])
        #expect(result.isFailure(isStrict: true), "\(result.word): \(result.detail ?? "")\n\(transcript)")
        #expect(summary.problem == nil)
    }
}
