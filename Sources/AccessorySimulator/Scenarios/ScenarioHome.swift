package import HAP
package import HAPCatalog
package import HAPClient

/// The home of a scenario: its hub with scenes and automations, on the scenario's time.
///
/// The simulator knows no hub, so whoever runs a scenario that has a home provides it. Errors are described to people.
package protocol ScenarioHome: Sendable {
    /// A value that a scene writes.
    typealias Write = (server: DeviceID, characteristic: CharacteristicID, value: CharacteristicValue)

    /// The identity that the hub presents to accessories.
    var controller: ControllerIdentity { get async throws }

    /// Adds an accessory that has the hub's pairing, with its bridged accessories.
    func add(_ pairing: AccessoryPairing, at address: AccessoryAddress) async throws
    /// Adds a scene.
    func addScene(_ name: String, writing writes: [Write]) async throws
    /// Adds an enabled automation.
    ///
    /// - Parameters:
    ///   - when: When it runs, in the words of `hearth automation add`.
    ///   - scenes: The names of the scenes that it runs.
    func addAutomation(_ name: String, when: String, running scenes: [String]) async throws

    /// Runs a scene as a person does.
    func run(scene: String) async throws
    /// Reports that a person came home or left.
    func setPresence(of person: String, isHome: Bool) async throws

    /// The scenario's time when the next automation is due; `nil` if none depends on the time.
    var nextTime: Duration? { get async throws }
    /// Advances the hub's clock, and runs the automations that are due.
    func advance(to time: Duration) async throws
    /// Waits until the hub has handled what the accessories sent before the call, and they have answered what it wrote.
    ///
    /// - Returns: The number of requests that this needed.
    func settle() async throws -> Int
    func stop() async
}
