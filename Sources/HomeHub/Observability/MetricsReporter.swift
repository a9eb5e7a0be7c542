import DNSSD
import HAP
import HubAPI

/// Brings the metrics that show the hub's current state up to date. Counters are always current.
actor MetricsReporter {
    private let parts: [any HubPart]
    private let network: any ServiceDiscovery
    private let metrics: HubMetrics
    /// The accessory servers in the last report.
    private var reportedServers: Set<String> = []
    private var reportedMessages = ReportedMessageCounts()

    init(parts: [any HubPart], network: any ServiceDiscovery, metrics: HubMetrics) {
        self.parts = parts
        self.network = network
        self.metrics = metrics
    }

    /// Updates the metrics. Call it before they are read.
    func update() async {
        var statistics = HubStatistics()
        for part in parts { await part.report(in: &statistics) }
        if let multicast = network as? MulticastDNS {
            for (interface, messages) in await multicast.messages {
                for (direction, count) in [("received", messages.received.total), ("sent", messages.sent.total)] {
                    let more = reportedMessages.add(count, direction, on: interface)
                    metrics.record(messages: more, direction, on: interface)
                }
            }
        }
        metrics.set(statistics)
        let servers = Set(statistics.servers.keys)
        for server in reportedServers.subtracting(servers) { metrics.forget(server: server) }
        reportedServers = servers
    }
}

extension AccessoryConnections: HubPart {
    /// Counts the accessories that are in homes, and their servers.
    func report(in statistics: inout HubStatistics) async {
        for (server, link) in links {
            guard case .member = link.phase else { continue }
            statistics.servers["\(server)"] = link.attributes != nil
        }
        var counts = statistics
        live.snapshot { present in
            for update in present.reachability { counts.add(update) }
        }
        statistics = counts
    }
}
