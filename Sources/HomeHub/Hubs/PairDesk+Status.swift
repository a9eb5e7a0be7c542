import Foundation
import HAP
import HomeIdentity
import HomeModel
import HubAPI
import Replication

/// How the hubs stand, for people.
extension PairDesk {
    /// Returns how the hubs stand.
    func status() async -> HubsStatus {
        guard hubTable.isPaired, let members = hubTable.list?.list.members else {
            let own = HubsStatus.Hub(
                id: owner.device,
                name: hubTable.ownName,
                isOwn: true,
                isLeading: true,
                isConnected: true
            )
            let outlook =
                "If this hub stopped, automations would stop and nothing could be changed until it runs again. To add a second "
                + "hub: hearth hub invite"
            return HubsStatus(hubs: [own], untold: hubTable.formerHubs.map(\.name), outlook: outlook)
        }
        let isConnected = isConnected()
        let places = await replicator?.places
        let leader: UUID? =
            switch role {
            case .leading: owner.device
            case .following(let hub): hub
            case .withoutLeader: nil
            }
        let hubs = members.map { member in
            let isOwn = member.id == owner.device
            return HubsStatus.Hub(
                id: member.id,
                name: isOwn ? hubTable.ownName : hubTable.otherName,
                isOwn: isOwn,
                isLeading: member.id == leader,
                isConnected: isOwn || isConnected,
                behind: isOwn ? nil : places.flatMap { places in places.hub.map { max(0, places.last - $0) } }
            )
        }
        let answers = relay.answers
        let relay = relay.place.map { place in
            HubsStatus.Relay(
                relay: place.relay,
                votes: answers.last != nil && answers.problem == nil,
                answered: answers.last,
                problem: answers.problem
            )
        }
        let pairings = await pairings()
        return HubsStatus(
            hubs: hubs,
            since: since.date,
            relay: relay,
            pairings: pairings,
            foreign: await accessories { await self.connections.foreignServers(in: $0) },
            unprepared: await accessories { await self.connections.unpreparedServers(in: $0) },
            untold: hubTable.formerHubs.map(\.name),
            outlook: outlook(isConnected, relay, pairings, behind: hubs.compactMap(\.behind).first)
        )
    }

    /// Returns the accessories that the other hub doesn't control.
    func pairings() async -> [HubsStatus.Pairing] {
        var pairings: [HubsStatus.Pairing] = []
        for home in await database.homes {
            let (owed, full) = await connections.owedDuties(in: home.id)
            for server in owed.union(full).sorted(by: { "\($0)" < "\($1)" }) {
                pairings.append(
                    HubsStatus.Pairing(
                        home: home.id,
                        accessory: Self.name(of: server, in: home),
                        isPossible: !full.contains(server)
                    )
                )
            }
        }
        return pairings
    }

    /// Returns the accessories of some servers.
    ///
    /// - Parameter servers: A closure that returns the servers of a home.
    private func accessories(of servers: (UUID) async -> Set<DeviceID>) async -> [HubsStatus.Accessory] {
        var accessories: [HubsStatus.Accessory] = []
        for home in await database.homes {
            for server in await servers(home.id).sorted(by: { "\($0)" < "\($1)" }) {
                accessories.append(HubsStatus.Accessory(home: home.id, accessory: Self.name(of: server, in: home)))
            }
        }
        return accessories
    }

    private static func name(of server: DeviceID, in home: Home) -> String {
        home.accessories(onServer: server.description).first?.name ?? server.description
    }

    /// Returns what would happen if this hub stopped.
    private func outlook(
        _ isConnected: Bool,
        _ relay: HubsStatus.Relay?,
        _ pairings: [HubsStatus.Pairing],
        behind: Int?
    ) -> String {
        let other = "“\(hubTable.otherName)”"
        guard isConnected else {
            return "If this hub stopped, nothing would control the homes, because \(other) can't be reached."
        }
        guard let relay else {
            return
                "If this hub stopped, \(other) would control the accessories, but run no automations and change nothing, "
                + "because no relay votes. To use one: hearth sync on URL"
        }
        // A relay that hasn't been asked is no worse for it.
        guard relay.problem == nil else {
            return
                "If this hub stopped, \(other) would control the accessories, but run no automations and change nothing until "
                + "the relay answers again."
        }
        let lacking = behind ?? 0 > 0 ? ", once it has the newest changes from the relay" : ""
        let missing = pairings.isEmpty ? "everything" : "everything but the accessories that it isn't paired with"
        return "If this hub stopped, \(other) would lead within some seconds and go on with \(missing)\(lacking)."
    }
}
