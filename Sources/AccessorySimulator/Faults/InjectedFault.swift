internal import HAP
internal import HAPCatalog
public import HAPServer

/// A lasting fault that was injected into a simulated accessory.
public struct InjectedFault: Sendable, Identifiable {
    /// The fault's number, for clearing it.
    public let id: UInt64
    /// The fault.
    public let fault: Fault
    /// The serial number of the accessory.
    public let accessory: String
    /// The characteristic that the fault is limited to, if any.
    public let characteristic: CharacteristicAddress?
    /// The index of the accessory's server.
    let server: Int
    /// The actions for clearing the fault.
    var cleanup = FaultCleanup()
}

/// The actions for clearing a fault.
struct FaultCleanup: Sendable {
    /// An action that undoes a fault, on the server that the slot has at that time.
    enum Undo: Sendable {
        /// Listens on this port again.
        case port(Int)
        /// Restores this value. If it is `nil`, the previous value is unknown.
        case value(CharacteristicValue?, CharacteristicAddress)
        /// Advertises the accessory again.
        case advertisement
    }

    /// The scheduled actions to cancel.
    var scheduledActions: [ScheduledAction] = []
    /// The action that undoes the fault, or `nil` if there is none.
    var undo: Undo?

    func cancel() {
        for action in scheduledActions { action.cancel() }
    }
}
