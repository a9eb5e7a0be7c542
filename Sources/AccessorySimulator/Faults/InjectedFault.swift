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
    var end = FaultEnd()
}

/// What is to be done when a fault is cleared.
struct FaultEnd: Sendable {
    /// What is still to happen.
    var entries: [TimelineEntry] = []
    /// What puts things right again.
    var remedy: (@Sendable () async -> Void)?

    func cancel() {
        for entry in entries { entry.cancel() }
    }
}
