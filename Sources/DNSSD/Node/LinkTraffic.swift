/// Counts the traffic of a link.
struct LinkTraffic {
    /// The traffic from one address.
    struct Source {
        var counts = MessageCounts()
        var lastReceived: Instant
    }

    private(set) var received = MessageCounts()
    private(set) var sent = MessageCounts()
    private(set) var echoes = 0
    private(set) var malformed = 0
    private(set) var rejected = 0
    private(set) var sources: [IPAddress: Source] = [:]

    /// A message was sent.
    mutating func didSend(_ outgoing: Outgoing, packets: Int) {
        if outgoing.message.isResponse {
            sent.responses += packets
        } else {
            sent.queries += packets
        }
    }

    /// A packet that isn't a DNS message was received.
    mutating func didReceiveMalformed() {
        malformed += 1
    }

    /// A packet was rejected.
    mutating func didReject() {
        rejected += 1
    }

    /// A packet of this program was looped back.
    mutating func didReceiveEcho() {
        echoes += 1
    }

    /// A message of another program was received.
    mutating func didReceive(_ message: DNSMessage, from source: Endpoint, at now: Instant) {
        received.count(message, from: source)
        if sources[source.address] == nil, sources.count >= InterfaceStatistics.maximumSources,
            let oldest = sources.min(by: { $0.value.lastReceived < $1.value.lastReceived })
        {
            sources[oldest.key] = nil
        }
        var entry = sources[source.address] ?? Source(lastReceived: now)
        entry.lastReceived = now
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
