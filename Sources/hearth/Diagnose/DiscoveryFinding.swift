/// A problem that prevents discovery, or a note about it.
struct DiscoveryFinding: Encodable, Hashable, Sendable {
    /// A kind of finding.
    enum Code: String, Encodable, Sendable {
        /// No interface can use multicast DNS.
        case noUsableInterface
        /// No interface has the requested name or address.
        case unknownInterface
        /// A program has UDP port 5353 open and doesn't share it.
        case portHeld
        /// The system refused another socket operation.
        case socketRefused
        /// Packets don't leave this host.
        case sendingBlocked
        /// Multicast packets don't loop back to this host.
        case multicastBlocked
        /// The interface is down, has no link, or doesn't support multicast.
        case interfaceUnusable
        /// No other host was received on an interface.
        case nobodyHeard
        /// Other hosts were received, but no accessory.
        case noAccessories
        /// This is a container with its own network.
        case containerNetwork
        /// An accessory's address isn't in a network of the interface on which it was seen.
        case otherNetwork
        /// An accessory's announcement lacks records that are needed to connect to it.
        case incompletelyAdvertised
        /// Another program on this host uses multicast DNS.
        case portShared
    }

    var code: Code
    /// Whether discovery fails because of the finding. Otherwise it is a note.
    var isProblem: Bool
    /// The interface concerned, if any.
    var interface: String?
    /// The observation, in a sentence.
    var text: String
    /// The next step, in a sentence.
    var advice: String

    /// Creates a problem.
    static func problem(_ code: Code, _ text: String, advice: String) -> DiscoveryFinding {
        problem(code, nil, text, advice: advice)
    }

    /// Creates a problem with an interface.
    static func problem(_ code: Code, _ interface: String?, _ text: String, advice: String) -> DiscoveryFinding {
        DiscoveryFinding(code: code, isProblem: true, interface: interface, text: text, advice: advice)
    }

    /// Creates a note.
    static func note(_ code: Code, _ text: String, advice: String) -> DiscoveryFinding {
        note(code, nil, text, advice: advice)
    }

    /// Creates a note about an interface.
    static func note(_ code: Code, _ interface: String?, _ text: String, advice: String) -> DiscoveryFinding {
        DiscoveryFinding(code: code, isProblem: false, interface: interface, text: text, advice: advice)
    }
}
