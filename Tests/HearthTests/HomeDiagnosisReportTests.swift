import Foundation
import HAPCatalog
@testable import hearth
import HubAPI
import Testing

/// The report that is derived from the hub's state of a home.
@Suite struct HomeDiagnosisReportTests {
    private static func findings(_ troubles: AccessoryTrouble?...) -> [String] {
        let accessories = troubles.map { trouble in
            HomeDiagnosis.Accessory(
                id: UUID(),
                name: "Lamp",
                room: "Hall",
                isReachable: trouble == nil,
                trouble: trouble
            )
        }
        return HomeDiagnosisRules(accessories: accessories, discovery: []).findings.map(\.code)
    }

    @Test func theNetworkIsNotCalledSilentWhileTheHubIsConnecting() {
        #expect(Self.findings(.timedOut, .notAdvertised) == ["networkSilent"])
        #expect(Self.findings(.timedOut, .notAdvertised, .blocked) == ["networkSilent", "blocked"])
        #expect(Self.findings(.connecting, .connecting) == ["connecting"])
        #expect(Self.findings(.timedOut, .connecting, .timedOut) == ["timedOut", "connecting"])
    }

    @Test(arguments: [
        (CharacteristicValue.integer(0), false), (.bool(false), false), (.double(0), false), (.unsigned(0), false),
        (.string("1"), false), (.integer(1), true), (.integer(2), true), (.bool(true), true), (.double(1), true),
    ])
    func aStatusIsSetWhateverItsFormat(value: CharacteristicValue, isSet: Bool) {
        #expect(HomeDiagnosis.isSet(value) == isSet)
    }
}
