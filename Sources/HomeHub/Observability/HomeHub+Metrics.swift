import DNSSD
import HAP
import HubAPI
import Synchronization

extension HomeHub {
    /// Brings the metrics that tell how the hub stands up to date; those that count are at any time. Call it before the
    /// metrics are read.
    package func updateMetrics() async {
        var census = await connections.census()
        census.clients = sessions.all.count
        census.questions = await questions.count
        if let multicast = network as? MulticastDNS {
            for (interface, messages) in await multicast.messages {
                for (direction, count) in [("received", messages.received.total), ("sent", messages.sent.total)] {
                    let more = shownMessages.withLock { $0.take(count, direction, on: interface) }
                    metrics.note(messages: more, direction, on: interface)
                }
            }
        }
        metrics.show(census)
        let servers = Set(census.servers.keys)
        let former = shownServers.withLock { shown in
            defer { shown = servers }
            return shown
        }
        for server in former.subtracting(servers) { metrics.forget(server: server) }
    }
}

extension AccessoryConnections {
    /// Counts the accessories that are in homes, and their servers.
    fileprivate func census() -> HubStatistics {
        var census = HubStatistics()
        for (server, link) in links {
            guard case .member = link.phase else { continue }
            census.servers["\(server)"] = link.attributes != nil
        }
        live.snapshot { present in
            for update in present.reachability { census.add(update) }
        }
        return census
    }
}
