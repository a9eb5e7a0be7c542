/// Something that stands, or may stand, in the way of discovery.
struct DiscoveryFinding: Encodable, Hashable, Sendable {
    /// What was recognised.
    enum Code: String, Encodable, Sendable {
        /// There is no interface that multicast DNS can use.
        case noUsableInterface
        /// No interface has the name or address that was asked for.
        case unknownInterface
        /// A program holds UDP port 5353 for itself.
        case portHeld
        /// The system refuses something else that is needed.
        case socketRefused
        /// What is sent does not leave this host.
        case sendingBlocked
        /// What is sent to the group does not even come back to this host.
        case multicastBlocked
        /// The interface is off, has no cable, or cannot do multicast.
        case interfaceUnusable
        /// Nobody else was heard on an interface.
        case nobodyHeard
        /// Others were heard, but no accessory.
        case noAccessories
        /// This is a container with a network of its own.
        case containerNetwork
        /// An accessory's address is in none of the networks of the interface on which it was heard.
        case otherNetwork
        /// An accessory announces itself without all that it takes to connect to it.
        case incompletelyAdvertised
        /// Another program answers multicast DNS on this host.
        case portShared
    }

    var code: Code
    /// Whether discovery fails because of it; otherwise it is worth knowing.
    var isProblem: Bool
    /// The interface that it is about, if it is about one.
    var interface: String?
    /// What was seen.
    var text: String
    /// What to do about it.
    var advice: String

    /// A reason why discovery fails.
    static func problem(_ code: Code, _ text: String, advice: String) -> DiscoveryFinding {
        problem(code, nil, text, advice: advice)
    }

    /// A reason why discovery fails on an interface.
    static func problem(_ code: Code, _ interface: String?, _ text: String, advice: String) -> DiscoveryFinding {
        DiscoveryFinding(code: code, isProblem: true, interface: interface, text: text, advice: advice)
    }

    /// Something worth knowing.
    static func note(_ code: Code, _ text: String, advice: String) -> DiscoveryFinding {
        note(code, nil, text, advice: advice)
    }

    /// Something worth knowing of an interface.
    static func note(_ code: Code, _ interface: String?, _ text: String, advice: String) -> DiscoveryFinding {
        DiscoveryFinding(code: code, isProblem: false, interface: interface, text: text, advice: advice)
    }
}
