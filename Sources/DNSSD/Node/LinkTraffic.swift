/// What went over a link, counted.
struct LinkTraffic {
    /// What came from one address.
    struct Source {
        var counts = MessageCounts()
        var lastHeard: Instant
    }

    private(set) var received = MessageCounts()
    private(set) var sent = MessageCounts()
    private(set) var echoes = 0
    private(set) var unicast = 0
    private(set) var malformed = 0
    private(set) var rejected = 0
    private(set) var sources: [IPAddress: Source] = [:]

    /// A message of ours is handed to the system.
    mutating func noteSent(_ outgoing: Outgoing, packets: Int) {
        if outgoing.message.isResponse {
            sent.responses += packets
        } else {
            sent.queries += packets
        }
    }

    /// A packet is no DNS message.
    mutating func noteMalformed() {
        malformed += 1
    }

    /// A packet must not be believed.
    mutating func noteRejected() {
        rejected += 1
    }

    /// A packet of ours came back.
    mutating func noteEcho() {
        echoes += 1
    }

    /// A message of another program arrived.
    mutating func note(_ message: DNSMessage, from source: Endpoint, isUnicast: Bool, at now: Instant) {
        received.count(message, from: source)
        unicast += isUnicast ? 1 : 0
        if sources[source.address] == nil, sources.count >= InterfaceStatistics.maximumSources,
            let oldest = sources.min(by: { $0.value.lastHeard < $1.value.lastHeard })
        {
            sources[oldest.key] = nil
        }
        var entry = sources[source.address] ?? Source(lastHeard: now)
        entry.lastHeard = now
        entry.counts.count(message, from: source)
        sources[source.address] = entry
    }
}

extension MessageCounts {
    fileprivate mutating func count(_ message: DNSMessage, from source: Endpoint) {
        if message.isResponse {
            responses += 1
        } else if source.speaksMulticastDNS {
            queries += 1
        } else {
            plainQueries += 1
        }
    }
}
