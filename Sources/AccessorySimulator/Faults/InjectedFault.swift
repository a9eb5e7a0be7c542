internal import HAP
internal import HAPCatalog
public import HAPServer

/// A fault that was put into a simulated accessory and lasts.
public struct InjectedFault: Sendable, Identifiable {
    /// Its number, by which it can be cleared.
    public let id: UInt64
    /// The fault.
    public let fault: Fault
    /// The serial number of the accessory.
    public let accessory: String
    /// The characteristic to which it is limited, if it is.
    public let characteristic: CharacteristicAddress?
    /// Where it stands among the servers.
    let server: Int
    /// Ends what it has begun, when it is cleared.
    var end = FaultCleanup()
}

/// What is to be done when a fault is cleared.
struct FaultCleanup: Sendable {
    /// What puts things right again, at whichever server the slot has by then.
    enum Remedy: Sendable {
        /// It listens on this port again.
        case port(Int)
        /// The characteristic has this value again; nothing is known to put back if it is `nil`.
        case value(CharacteristicValue?, CharacteristicAddress)
        /// It is made known again.
        case advertisement
    }

    /// What is still to happen.
    var entries: [ScheduledAction] = []
    /// What puts things right again; `nil` if nothing has to.
    var remedy: Remedy?

    func cancel() {
        for entry in entries { entry.cancel() }
    }
}
