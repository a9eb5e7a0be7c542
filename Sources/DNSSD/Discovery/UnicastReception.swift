/// Decides whether to request unicast responses (RFC 6762 sections 5.4 and 15.1).
///
/// They arrive only if no other program on this host receives them from the shared port, and no firewall drops them.
/// Therefore they are requested once, and again only after one has arrived. Every question is repeated without the
/// request after a second, so a lost response only causes a delay.
struct UnicastReception {
    /// Whether no other program receives packets to this host's port.
    var isPossible: Bool
    private var wasTried = false
    private var isProven = false

    init(isPossible: Bool) {
        self.isPossible = isPossible
    }

    /// Whether the next first question should request a unicast response.
    var isWelcome: Bool { isPossible && (isProven || !wasTried) }

    /// Whether unicast responses are known to arrive.
    var isReliable: Bool { isPossible && isProven }

    /// A unicast response was requested.
    mutating func didRequest() {
        wasTried = true
    }

    /// A unicast response arrived.
    mutating func didReceive() {
        isProven = true
    }

    /// Another program on this host uses multicast DNS and may receive packets to this host.
    mutating func didDetectOtherProgram() {
        isPossible = false
    }
}
