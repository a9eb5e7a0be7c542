import DNSSD
import HAP
import HAPClient
import Synchronization

extension HomeHub {
    /// Brings the metrics that tell how the hub stands up to date; those that count are at any time. Call it before the
    /// metrics are read.
    public func updateMetrics() async {
        var census = await connections.census()
        census.clients = sessions.all.count
        census.questions = await questions.count
        if let multicast = network as? MulticastDNS {
            for interface in await multicast.statistics {
                census.packetsReceived += interface.received.all
                census.packetsSent += interface.sent.all
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

extension MessageCounts {
    fileprivate var all: Int { queries + plainQueries + responses }
}

extension AccessoryConnections {
    /// Counts the accessories that are in homes.
    fileprivate func census() -> HubCensus {
        var census = HubCensus()
        for (server, link) in links {
            guard case .member = link.phase else { continue }
            census.servers["\(server)"] = link.attributes != nil
            guard let attributes = link.attributes else {
                let cause = link.isBlocked ? HubCensus.blocked : link.cause.name
                census.unreachableAccessories[cause, default: 0] += link.accessories.count
                continue
            }
            let present = Set(attributes.map(\.aid)).intersection(link.accessories.keys).count
            census.reachableAccessories += present
            let absent = link.accessories.count - present
            if absent > 0 { census.unreachableAccessories[HubCensus.leftBridge, default: 0] += absent }
        }
        return census
    }
}
