/// Whether it makes sense to ask for replies to this host alone (RFC 6762 sections 5.4 and 15.1).
///
/// They arrive only if no other program on this host takes them from the shared port and no firewall drops them. So they
/// are asked for once; only when one has come, they go on being asked for. Every question is repeated without the request
/// after a second, so a reply that does not arrive delays the answer and does not prevent it.
struct UnicastReception {
    /// Whether this program alone listens to what is sent to this host's port.
    var isPossible: Bool
    private var wasTried = false
    private var isProven = false

    init(isPossible: Bool) {
        self.isPossible = isPossible
    }

    /// Whether the next first question is to ask for a unicast reply.
    var isWelcome: Bool { isPossible && (isProven || !wasTried) }

    /// Whether unicast replies have been seen to arrive.
    var isReliable: Bool { isPossible && isProven }

    /// A unicast reply was asked for.
    mutating func noteAsked() {
        wasTried = true
    }

    /// A unicast response arrived.
    mutating func noteHeard() {
        isProven = true
    }

    /// Another program on this host speaks multicast DNS, and may get what is sent to this host.
    mutating func noteOtherProgram() {
        isPossible = false
    }
}
