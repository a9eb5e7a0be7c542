import AccessoryCheck
package import HAP
package import HAPServer

/// What to check of a controller, and how.
package struct ControllerCheckOptions: Sendable {
    /// The address to listen on, or `nil` for all.
    package var bindAddress: String?
    /// The port, or 0 for a free one in each scenario.
    package var port = 0
    /// The setup code, or `nil` for another one in each scenario.
    package var code: SetupCode?
    /// What advertises the accessory, if it is to be.
    package var advertiser: Advertiser?
    /// The names and kinds of the scenarios to run. If empty, all.
    package var scenarios: Set<String> = []
    /// The IDs of checks and the names of groups to judge. If empty, all.
    package var only: Set<String> = []
    /// The time for which the accessory waits for the controller in each scenario.
    package var timeout = Duration.seconds(120)
    /// The time without a connection after which a controller that refused an accessory is done.
    package var quietTime = Duration.seconds(3)
    /// A closure that makes the controller do its part. The scenario ends when it returns.
    package var drive: (@Sendable (ScenarioPlace) async throws -> DriveOutcome)?
    /// A closure that returns when the person at the controller wants the next scenario.
    package var next: (@Sendable () async -> Void)?
    /// The accessory's identity, or `nil` for another one in each scenario.
    package var identity: AccessoryIdentity?
    /// The pairings that the accessory has at the beginning.
    package var pairings: [Pairing] = []

    /// Creates options.
    package init() {}

    /// Returns whether a check is to be judged.
    func includes(_ check: ControllerCheck) -> Bool {
        only.isEmpty || only.contains(check.id) || only.contains(check.description.group)
    }

    /// Returns whether a scenario is to be run.
    func includes(_ scenario: Scenario) -> Bool {
        guard scenarios.isEmpty || scenarios.contains(scenario.name) || scenarios.contains(scenario.kind.rawValue)
        else { return false }
        return only.isEmpty || scenario.checks.contains(where: includes)
            || only.contains(ControllerCheck.alive.id) || only.contains(ControllerCheck.alive.description.group)
    }
}

/// How a command that drives the controller ended.
package enum DriveOutcome: Hashable, Sendable {
    /// It exited with a code.
    case exited(Int32)
    /// A signal ended it, as when it crashes.
    case signaled(Int32)
}

/// A scenario that has begun, and where its accessory is.
package struct ScenarioPlace: Sendable {
    /// The scenario.
    package let scenario: Scenario
    /// The address to connect to.
    package let host: String
    /// The port.
    package let port: Int
    /// The name that is advertised.
    package let name: String
    /// The device ID.
    package let deviceID: DeviceID
    /// The setup code.
    package let code: SetupCode
    /// The payload of the setup QR code.
    package let payload: SetupPayload
    /// What the controller did so far.
    let course: @Sendable () -> Course
}
