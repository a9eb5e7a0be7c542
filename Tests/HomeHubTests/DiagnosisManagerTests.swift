import AccessorySimulator
import Foundation
import HAP
import HomeHub
import HubAPI
import Testing

/// Concurrent requests for diagnoses.
struct DiagnosisManagerTests {
    /// Returns the results of concurrent requests for diagnoses.
    private static func diagnose(
        _ accessories: [UUID],
        of home: UUID,
        by probe: RecordingHubClient
    ) async -> [Result<AccessoryDiagnosis, HubError>] {
        await withTaskGroup(of: Result<AccessoryDiagnosis, HubError>.self) { tasks in
            for accessory in accessories {
                tasks.addTask {
                    do {
                        let target = ItemTarget(home: home, id: accessory)
                        return .success(try await probe.call(HubMethods.diagnoseAccessory, target))
                    } catch {
                        return .failure(error as? HubError ?? HubError(.hubFailure, "\(error)"))
                    }
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
    }

    /// Whether nothing is wrong but the time that it takes, which a busy machine may cause.
    private static func isPassed(_ diagnosis: AccessoryDiagnosis) -> Bool {
        diagnosis.cause.map { $0.trouble == .slow } ?? true
    }

    @Test func sixteenAreMadeAtATimeAndWhoAsksForOneThatIsMadeGetsIt() async throws {
        try await withDataFolder { folder in
            let name = SimulatedAccessories.newName("Bridge")
            let bridge = SimulatedAccessories.bridge(name, lamps: (1...17).map { "Lamp \($0)" })
            try await SimulatedAccessories.with([bridge], in: folder) { accessories in
                try await withHub(at: folder) { hub in
                    let probe = try await RecordingHubClient(to: hub)
                    let home = try await probe.call(HubMethods.addHome, AddHome(name: "My Home")).id
                    let ready = try #require(accessories.ready.first)
                    let addition = AddAccessory(
                        home: home,
                        deviceID: ready.deviceID.description,
                        code: ready.setupCode.dashed
                    )
                    let lamps = Array(try await probe.call(HubMethods.addAccessory, addition).ids.dropFirst())
                    try #require(lamps.count == 17)
                    try await probe.until { view in
                        lamps.filter { view.reachability[$0]?.isReachable != true }.isEmpty
                    }
                    // No diagnosis finishes before the last one is requested.
                    _ = try await accessories.simulator.inject(Fault("latency 200ms"), into: name)

                    let same = await Self.diagnose(Array(repeating: lamps[0], count: 20), of: home, by: probe)
                    let diagnosis = try #require(try same.first?.get())
                    #expect(diagnosis.accessory == lamps[0] && Self.isPassed(diagnosis), "\(diagnosis)")
                    #expect(same.filter { $0 != .success(diagnosis) }.isEmpty)

                    let all = await Self.diagnose(lamps, of: home, by: probe)
                    let made = all.compactMap { try? $0.get() }
                    #expect(made.count == 16 && made.filter { !Self.isPassed($0) }.isEmpty, "\(made)")
                    let refusals = all.compactMap { result -> HubError.Code? in
                        if case .failure(let error) = result { error.code } else { nil }
                    }
                    #expect(refusals == [.notAllowedNow])
                }
            }
        }
    }
}
