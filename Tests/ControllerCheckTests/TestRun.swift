import AccessoryCheck
import HAP
import HAPServer
import Synchronization

@testable import ControllerCheck

/// A run of one scenario on 127.0.0.1, with a controller of the test.
enum TestRun {
    /// The controller that is paired before a run, unless it is to pair.
    static let admin = ControllerIdentity(
        pairingID: PairingID("0A1B2C3D-0000-4000-8000-000000000001").unsafelyUnwrapped,
        keyPair: .random()
    )

    /// Runs a scenario. What the controller throws is its own affair.
    static func results(
        of scenario: Scenario,
        isPaired: Bool = true,
        only: Set<String> = [],
        discovery: TestDiscovery? = nil,
        _ controller: @escaping @Sendable (ScriptedController) async throws -> DriveOutcome
    ) async -> (summary: ControllerCheckSummary, results: [String: CheckResult], transcript: String) {
        var options = ControllerCheckOptions()
        options.bindAddress = "127.0.0.1"
        options.scenarios = [scenario.name]
        options.only = only
        options.timeout = .seconds(300)
        let identity = AccessoryIdentity(deviceID: .random(), keyPair: .random())
        options.identity = identity
        if isPaired {
            options.pairings = [
                Pairing(
                    controllerID: admin.pairingID,
                    publicKey: admin.keyPair.publicKey,
                    permissions: .admin
                )
            ]
        }
        options.advertiser = discovery.map { Advertiser(by: $0) }
        options.drive = { place in
            let accessory = PairedAccessory(deviceID: identity.deviceID, publicKey: identity.keyPair.publicKey)
            let scripted = ScriptedController(place: place, accessory: accessory, discovery: discovery)
            return (try? await controller(scripted)) ?? .exited(1)
        }
        let transcript = Mutex("")
        let summary = await ControllerCheckRunner(options: options).run { event in
            if case .ended(_, let text) = event { transcript.withLock { $0 = text } }
        }
        let results = Dictionary(summary.results.map { ($0.id, $0) }) { first, _ in first }
        return (summary, results, transcript.withLock { $0 })
    }
}
