package import HAP

/// Decides whether an accessory that received its configuration has joined the network, or has returned unconfigured.
package struct JoinMonitor: Sendable {
    /// The network in which an advertisement was received.
    package enum Location: Hashable, Sendable {
        /// The accessory's own network.
        case setup
        /// The home's network.
        case home
    }

    /// The result of an attempt to join the network.
    package enum Outcome: Hashable, Sendable {
        /// The accessory is in the home's network.
        case joined
        /// The accessory is in its own network again. The network's name or passphrase was probably wrong.
        case returned
    }

    /// The accessory.
    package let deviceID: DeviceID
    private let seed: UInt32

    /// Creates a monitor.
    ///
    /// - Parameter advertisement: The accessory's advertisement before the attempt.
    package init(_ advertisement: SetupAdvertisement) {
        deviceID = advertisement.deviceID
        seed = advertisement.seed
    }

    /// Returns the outcome that an advertisement shows, or `nil` if it shows none.
    ///
    /// An advertisement with the previous seed is from before the attempt, even if it arrives later.
    package func outcome(of advertisement: SetupAdvertisement, at location: Location) -> Outcome? {
        guard advertisement.deviceID == deviceID, advertisement.seed != seed else { return nil }
        return location == .home ? .joined : .returned
    }
}
