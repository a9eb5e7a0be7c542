import HAP
import HAPServer

/// What an accessory does otherwise than a good bridge, at the requests that it is meant for.
struct Trap: Sendable {
    /// A request, and what preceded it.
    struct Occasion {
        let request: HTTPRequest
        let connection: ConnectionID
        let isSecured: Bool
        /// What the controller did, including this request.
        let course: Course
    }

    /// A message in place of the accessory's own answer.
    struct Answer {
        let bytes: [UInt8]
        /// Whether this is what the controller is tested with, rather than what leads to it.
        let springs: Bool
    }

    /// What happens.
    enum Act: Sendable {
        /// The request is answered by these bytes, and not handled. `nil` handles it.
        case answer(@Sendable (HTTPRequest, ConnectionID) throws -> Answer?)
        /// The request is handled, and these bytes are sent in place of the response.
        case respond(@Sendable (HTTPResponse, HTTPRequest) -> [UInt8])
        /// The request is handled with a fault.
        case fault(RequestFault)
        /// The request is handled, and the response's bytes on the wire are replaced.
        case output(@Sendable (_ wire: [UInt8], _ plain: [UInt8]) -> TrafficRewriter.Output)
        /// The request is handled, and nothing else happens but what the scenario's behavior says.
        case nothing
    }

    /// How often it happens.
    var limit = 1
    /// Returns whether a request is one that it is meant for.
    let isTriggered: @Sendable (Occasion) -> Bool
    let act: Act
}

// MARK: Occasions

extension Trap {
    /// A trap at the first read or write of characteristics in a session.
    static func atCharacteristics(limit: Int = 1, _ act: Act) -> Trap {
        Trap(limit: limit, isTriggered: { $0.isSecured && $0.request.path == "/characteristics" }, act: act)
    }

    /// A trap at the first write of a value.
    static func atWrite(_ act: Act) -> Trap {
        Trap(isTriggered: { $0.isSecured && $0.request.writesValue }, act: act)
    }

    /// A trap at the first list of the accessories.
    static func atAccessories(limit: Int = 1, _ act: Act) -> Trap {
        Trap(limit: limit, isTriggered: { $0.isSecured && $0.request.path == "/accessories" }, act: act)
    }

    /// A trap at the first read or write after the connection subscribed to something.
    static func atSubscriber(_ act: Act) -> Trap {
        Trap(
            isTriggered: { occasion in
                occasion.isSecured && occasion.request.path == "/characteristics"
                    && occasion.course.exchanges.dropLast().contains {
                        $0.connection == occasion.connection && $0.request.subscribes
                            && $0.response?.status == .noContent
                    }
            },
            act: act
        )
    }

    /// A trap at all messages of pair-setup, or pair-verify.
    static func at(_ path: String, _ act: Act) -> Trap {
        Trap(limit: .max, isTriggered: { !$0.isSecured && $0.request.path == path }, act: act)
    }

    /// A trap at a message of pair-setup, or pair-verify.
    static func at(_ path: String, state: UInt8, limit: Int = .max, _ act: Act) -> Trap {
        Trap(
            limit: limit,
            isTriggered: { !$0.isSecured && $0.request.path == path && $0.request.pairingState == state },
            act: act
        )
    }
}
