package import HAP
package import HAPCatalog

/// An object that makes an ``AccessoryServer`` misbehave like accessories on the market, and observes its traffic, for
/// simulators and tests.
///
/// All methods are called on the server's event loop and must not block.
package protocol ServerFaultInjector: AnyObject, Sendable {
    /// Whether there is any fault, so that ``fault(for:)``, ``refusal(of:isWrite:)`` and ``delivery(of:)`` must be asked.
    var hasFaults: Bool { get }
    /// Returns the fault to apply to a request, before it is handled.
    func fault(for request: InspectedRequest) -> RequestFault
    /// Returns the status with which to reject access to a characteristic, or `nil` to allow it.
    func refusal(of address: CharacteristicAddress, isWrite: Bool) -> HAPStatus?
    /// Returns how to deliver an event of a characteristic.
    func delivery(of address: CharacteristicAddress) -> EventDelivery
    /// Returns whether to simulate a power failure before this pair-setup message is sent. The server's state is
    /// already stored.
    func shouldLosePower(before message: PairingState) -> Bool
    /// Whether ``record(_:)`` has an effect.
    var recordsTraffic: Bool { get }
    /// Records a traffic event, decrypted. Pairing messages contain secrets.
    func record(_ event: TrafficEvent)
    /// Records that the server starts handling input, or has finished its immediate consequences.
    func recordWork(isStarting: Bool)
}

/// A request to which a fault may be applied.
package struct InspectedRequest {
    /// The connection's ID.
    package let connection: ConnectionID
    /// The controller's port, or 0 if unknown.
    package let remotePort: Int
    /// Whether the session is secured.
    package let isSecured: Bool
    /// The endpoint, or `nil` if there is none at the request's path.
    package let endpoint: HAPEndpoint?
    /// A closure that returns the existing characteristics that the request names.
    package let addresses: () -> [CharacteristicAddress]
}

/// A fault to apply to a request.
package struct RequestFault: Hashable, Sendable {
    /// The outcome of the request.
    package enum Outcome: Hashable, Sendable {
        /// The request is answered normally.
        case answered
        /// The request and all further input on the connection are ignored.
        case ignored
        /// The request is ignored, and the connection is closed.
        case dropped
        /// The request is executed. Half of the response is sent, then the connection is closed.
        case halved
        /// The request is executed. The last frame of the response has a wrong authentication tag.
        case wrongTag
        /// The request is answered as if there were nothing at its path.
        case notFound
    }

    /// The delay before the request is handled.
    package var delay: Duration
    /// The outcome of the request.
    package var outcome: Outcome

    /// Creates a fault. The default is none.
    package init(delay: Duration = .zero, outcome: Outcome = .answered) {
        self.delay = delay
        self.outcome = outcome
    }
}

/// The delivery of an event.
package enum EventDelivery: Hashable, Sendable {
    /// The event is sent.
    case once
    /// The event is sent twice.
    case twice
    /// The event is not sent.
    case never
    /// The event is sent later, with the characteristic's value at that time.
    case after(Duration)
}

/// An event in the traffic between a server and a controller.
package struct TrafficEvent: Sendable {
    /// The content of the event.
    package enum Content: Sendable {
        /// The controller connected.
        case opened
        /// A complete request was received.
        case request(HTTPRequest)
        /// A request is delayed, or will never be answered.
        case held
        /// A delayed request is being handled.
        case resumed
        /// A response is sent.
        case response(HTTPResponse)
        /// An event is sent.
        case event(EventMessage)
        /// The connection is closing or closed.
        case closed
    }

    /// The connection's ID.
    package let connection: ConnectionID
    /// The controller's port, or 0 if unknown.
    package let remotePort: Int
    /// The controller, once its pair-verify has succeeded.
    package let controller: PairingID?
    /// The content of the event.
    package let content: Content
}
