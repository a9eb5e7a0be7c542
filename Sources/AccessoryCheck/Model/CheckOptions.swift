package import HAP

/// The accessory to check.
package struct CheckTarget: Hashable, Sendable {
    /// The host name or address.
    package var host: String
    /// The port.
    package var port: Int

    /// Creates a target.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// An existing pairing with the accessory.
package struct ExistingPairing: Hashable, Sendable {
    /// The controller, an admin.
    package var controller: ControllerIdentity
    /// The accessory.
    package var accessory: PairedAccessory

    /// Creates a pairing.
    package init(controller: ControllerIdentity, accessory: PairedAccessory) {
        self.controller = controller
        self.accessory = accessory
    }
}

/// What to check, and how.
package struct CheckOptions: Sendable {
    /// How the suite gets to be an admin of the accessory.
    package enum Access: Sendable {
        /// It pairs with the code, and unpairs at the end.
        case code(SetupCode)
        /// It uses a pairing, which stays.
        case pairing(ExistingPairing)
    }

    /// How the suite gets to be an admin of the accessory.
    package var access: Access
    /// The IDs of checks and the names of groups to run. If empty, all.
    package var only: Set<String> = []
    /// Whether values of locks, doors, windows, valves and security systems may be written.
    package var allowsActuators = false
    /// Whether the accessory is attacked.
    package var attacks = false
    /// Whether attacks must be refused as Apple's open accessory kit does, and not just in any way.
    package var requiresExactRefusals = false
    /// The time after which no further attack begins.
    package var attackTime: Duration = .seconds(300)
    /// The maximum time for a response.
    package var responseTime: Duration = .seconds(10)
    /// The time for which the suite listens for what must not come.
    package var quietTime: Duration = .milliseconds(1500)
    /// What the accessory advertises, if it can be heard.
    package var advertisements: AdvertisementSource?
    /// A closure that stops the accessory, before ``restart`` is called.
    package var stop: (@Sendable () async throws -> Void)?
    /// A closure that restarts the accessory, and returns once it is reachable again, possibly elsewhere.
    package var restart: (@Sendable () async throws -> CheckTarget)?
    /// A closure that is called before a message is sent in pieces.
    package var willSendPieces: @Sendable () -> Void = {}
    /// A closure that returns once the accessory had time to read what was sent before the next piece of a message.
    package var betweenPieces: @Sendable () async -> Void = { try? await Task.sleep(for: .milliseconds(5)) }
    /// Whether to keep the transcripts of all checks.
    package var keepsTranscripts = false

    /// Creates options.
    package init(access: Access) {
        self.access = access
    }

    /// Returns whether a check is to run.
    package func includes(_ check: Check) -> Bool {
        guard attacks || check.group != .attacks else { return false }
        return only.isEmpty || only.contains(check.id) || only.contains(check.group.rawValue)
    }
}
