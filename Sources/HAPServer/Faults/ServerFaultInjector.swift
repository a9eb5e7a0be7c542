package import HAP
package import HAPCatalog

/// Makes an ``AccessoryServer`` misbehave as accessories on the market do, and watches what it says, for simulators and
/// tests. A server without one asks nobody.
///
/// Everything is called on the server's event loop and must not wait.
package protocol ServerFaultInjector: Sendable {
    /// What is to go wrong with a request, before anything is done about it.
    func fault(for request: InspectedRequest) -> RequestFault
    /// The status with which a characteristic is to be refused; `nil` if it is not.
    func refusal(of address: CharacteristicAddress, isWrite: Bool) -> HAPStatus?
    /// What is to become of an event of a characteristic.
    func delivery(of address: CharacteristicAddress) -> EventDelivery
    /// Whether the power fails before this message of pair-setup goes out. What has led to it was done and stored.
    func shouldLosePower(before message: PairingState) -> Bool
    /// Hears of everything that passes, in the clear. Pairing messages hold secrets.
    func record(_ event: TrafficEvent)
    /// Hears that the server begins with what has come to it, or is done with all that follows from it at once.
    func recordWork(isStarting: Bool)
}

/// A request that may be disturbed.
package struct InspectedRequest {
    /// The connection's number.
    package let connection: ConnectionID
    /// The port at the controller's end, 0 if it is not known.
    package let remotePort: Int
    /// Whether the session is secured.
    package let isSecured: Bool
    /// The characteristics that the request names, as far as the server has them.
    package let addresses: () -> [CharacteristicAddress]
}

/// What goes wrong with a request.
package struct RequestFault: Hashable, Sendable {
    /// What becomes of the answer.
    package enum Outcome: Hashable, Sendable {
        /// Nothing is wrong with it.
        case answered
        /// Nothing is done, and nothing is heard on this connection any more.
        case ignored
        /// Nothing is done, and the connection is closed.
        case dropped
        /// The request is carried out. Half of the answer's bytes go out, then the connection is closed.
        case halved
        /// The request is carried out. The answer's last frame has a wrong authentication tag.
        case wrongTag
    }

    /// How long the request waits before anything is done.
    package var delay: Duration
    /// What becomes of the answer.
    package var outcome: Outcome

    /// Creates a disturbance; by default there is none.
    package init(delay: Duration = .zero, outcome: Outcome = .answered) {
        self.delay = delay
        self.outcome = outcome
    }
}

/// What becomes of an event.
package enum EventDelivery: Hashable, Sendable {
    /// It is sent.
    case once
    /// It is sent two times.
    case twice
    /// It is not sent.
    case never
    /// It is sent later, with the value that the characteristic has then.
    case after(Duration)
}

/// Something that passes between a server and a controller.
package struct TrafficEvent: Sendable {
    /// What passes.
    package enum Content: Sendable {
        /// The controller has connected.
        case opened
        /// A request is whole.
        case request(HTTPRequest)
        /// A request has to wait, or is never answered.
        case held
        /// A request that had to wait is taken up.
        case resumed
        /// An answer goes out.
        case response(HTTPResponse)
        /// An event goes out.
        case event(EventMessage)
        /// The server ends the connection, or it has ended.
        case closed
    }

    /// The connection's number.
    package let connection: ConnectionID
    /// The port at the controller's end, 0 if it is not known.
    package let remotePort: Int
    /// The controller, once its pair-verify has succeeded.
    package let controller: PairingID?
    /// What passes.
    package let content: Content
}
