package import WirelessSetup

/// An error in the configuration of an accessory over its own network.
package enum ConfiguratorError: Error, Hashable, Sendable {
    /// The accessory can't be reached, or it disconnected.
    case unreachable(UnreachableCause)
    /// The accessory replied with this HTTP status.
    case refused(Int)
    /// The accessory violated the protocol.
    case protocolViolation(WirelessSetupError)
}

extension ConfiguratorError: CustomStringConvertible {
    /// The human-readable reason.
    package var description: String {
        switch self {
        case .unreachable(let cause): cause.description
        case .refused(503): "The accessory is being configured by another controller."
        case .refused(let status): "The accessory rejected the configuration with HTTP status \(status)."
        case .protocolViolation(let error): error.description
        }
    }
}
