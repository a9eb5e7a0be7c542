import Foundation
@testable import hearth
import HubAPI
import Testing

/// The findings that are derived from a home's problems and a discovery check.
@Suite struct HomeDiagnosisRuleTests {
    private static func problems(_ code: DiscoveryFinding.Code, _ lamps: (String, isReachable: Bool)...) -> [String] {
        let accessories = lamps.map { name, isReachable in
            HomeDiagnosis.Accessory(
                id: UUID(),
                name: name,
                room: "Hall",
                isReachable: isReachable,
                trouble: isReachable ? nil : .refused
            )
        }
        let around = [DiscoveryFinding.problem(code, "It was seen.", advice: "Do something.")]
        return HomeDiagnosisRules(accessories: accessories, discovery: around).findings.filter(\.isProblem).map(\.code)
    }

    @Test(arguments: [DiscoveryFinding.Code.noUsableInterface, .nobodyHeard, .containerNetwork])
    func thatNobodyWasHeardIsNoProblemWhereTheHubReachesSomebody(code: DiscoveryFinding.Code) {
        #expect(Self.problems(code, ("One", isReachable: true)) == [])
        #expect(Self.problems(code, ("One", isReachable: true), ("Two", isReachable: false)) == ["refused"])
        #expect(Self.problems(code, ("One", isReachable: false)) == [code.rawValue, "refused"])
    }

    @Test func aFirewallIsAProblemEvenWhileConnectionsStand() {
        #expect(Self.problems(.sendingBlocked, ("One", isReachable: true)) == ["sendingBlocked"])
    }
}
