/// Whether the hub waits for the events of an ``HMEventTrigger``.
/// - Since: iOS 11.0
public enum HMEventTriggerActivationState: UInt, Sendable {
    /// The trigger is disabled, or in no home.
    /// - Since: iOS 11.0
    case disabled = 0
    /// The trigger is enabled, but the hub isn't connected, so its state is unknown.
    /// - Since: iOS 11.0
    case disabledNoHomeHub = 1
    /// The trigger is enabled, but has parts that only a newer hub knows. It doesn't fire on them.
    /// - Since: iOS 11.0
    case disabledNoCompatibleHomeHub = 2
    /// Not used: users report their presence to the hub, which asks no permission.
    /// - Since: iOS 11.0
    case disabledNoLocationServicesAuthorization = 3
    /// The hub waits for the events.
    /// - Since: iOS 11.0
    case enabled = 4
}
