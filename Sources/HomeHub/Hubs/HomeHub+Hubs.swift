package import DNSSD
package import Foundation
import HAP
import HAPClient
package import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import Logging

/// For the connection to the other hub of the homes.
extension HomeHub {
    /// The hubs in the signed list, in order, now and after each change of them or of the former hubs; none as long as this hub
    /// is alone.
    package nonisolated var listedHubs: AsyncStream<[HubMember]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [HubMember].self)
        hubTable.onChange { continuation.yield($0) }
        return stream
    }

    /// Where the other hub was last, the best first.
    package nonisolated var otherHubAddresses: [HubAddress] { hubTable.otherAddresses }

    /// A stream that yields each time that what ``introduction(alsoOf:)`` returns may have changed.
    package nonisolated var introductionChanges: AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        hubTable.onChange { _ in continuation.yield() }
        votingRelay.onChange { continuation.yield() }
        activities.subscribe { activity in
            guard case .stored(let request) = activity else { return }
            let changesServers = request.entries.contains { entry in
                entry.draft.change.effects.contains { effect in
                    switch effect {
                    case .put(.accessory), .put(.home): true
                    case .put: false
                    case .remove(let id): id.kind == .accessory
                    }
                }
            }
            if changesServers || request.removedHome != nil { continuation.yield() }
        }
        return stream
    }

    /// Returns what this hub tells the other one of itself.
    ///
    /// - Parameter homes: Homes of which the other hub has told, besides those of this hub.
    package func introduction(alsoOf homes: Set<UUID> = []) async throws -> [UInt8] {
        var controllers: [HubIntroduction.Controller] = []
        var servers: [HubIntroduction.Server] = []
        let own = await database.homes
        for home in own {
            for pairing in try await vault.pairings(of: home.id) {
                guard !home.accessories(onServer: pairing.deviceID.description).isEmpty else { continue }
                servers.append(
                    HubIntroduction.Server(
                        home: home.id,
                        deviceID: pairing.deviceID,
                        publicKey: pairing.accessoryPublicKey
                    )
                )
            }
        }
        for home in homes.union(own.map(\.id)) {
            // A hub whose homes came from another has no identity that was drawn for them.
            let controller = try await vault.existingIdentity(of: home) ?? identity.controller(of: home)
            controllers.append(
                HubIntroduction.Controller(
                    home: home,
                    pairingID: controller.pairingID,
                    publicKey: controller.keyPair.publicKey
                )
            )
        }
        // In one order, so that what hasn't changed has the same bytes.
        controllers.sort { $0.home.uuidString < $1.home.uuidString }
        servers.sort { "\($0.deviceID)" < "\($1.deviceID)" }
        return HubIntroduction(
            list: hubTable.list,
            lists: hubTable.chain,
            batchKeys: try await HubBatchKeys.stored(in: store),
            name: hubTable.ownName,
            owner: votingRelay.place.map { OtherHub.Owner(house: $0.house, key: $0.owner(of: identity).publicKey) },
            addresses: hubTable.ownAddresses,
            controllers: controllers,
            servers: servers
        ).bytes
    }

    /// Takes what the other hub tells of itself: a newer list of hubs, where it is, its pairings, which the accessories get,
    /// and the accessories that it has paired.
    ///
    /// Call it again with the same when the homes have changed: what concerns others was left out.
    ///
    /// - Returns: The homes of which it has told; `nil` if it isn't an introduction.
    package func take(introduction bytes: [UInt8], of hub: UUID) async -> Set<UUID>? {
        guard let introduction = HubIntroduction(bytes) else { return nil }
        do throws(HubError) {
            if let list = introduction.list, hubTable.list.map({ Data($0.bytes) }) != list {
                try await hubTable.take(Array(list))
            }
        } catch {
            // One that is older, for example: the other hub takes this hub's.
            log.notice("The other hub's list of hubs isn't taken.", metadata: ["reason": "\(error.reason)"])
        }
        await pairDesk.otherHubHas(introduction.list)
        for former in hubTable.formerHubs where former.member.id == hub && former.list == introduction.list {
            await wasTold(former)
        }
        guard hubTable.isPaired, hubTable.others.contains(where: { $0.id == hub }) else { return [] }
        if let lists = introduction.lists.flatMap({ try? HubListChain(Array($0)) }) { await hubTable.learn(lists) }
        let name = Account.deviceName(introduction.name ?? "")
        if await hubTable.setOtherHub(OtherHub(id: hub, name: name, owner: introduction.owner)) {
            await pairDesk.registerHouse()
        }
        await hubTable.setOtherAddresses(introduction.addresses)
        let homes = Set(await database.homes.map(\.id))
        let controllers = introduction.controllers.filter { homes.contains($0.home) }.map {
            HubController(hub: hub, home: $0.home, pairingID: $0.pairingID, publicKey: $0.publicKey)
        }
        do throws(HubError) {
            try await connections.add(controllers)
        } catch {
            log.error("The other hub's pairings can't be stored.", metadata: ["reason": "\(error.reason)"])
        }
        await connections.setOtherHubsServers(Set(introduction.servers.map(\.deviceID)))
        await connections.learn(introduction.servers)
        return Set(introduction.controllers.map(\.home))
    }

    /// Lets go of the port, unless there is another hub, a former one that hasn't been told, or somebody else needs it.
    package nonisolated func closeDoorOfFormerHub() { deviceTable.set(hasOtherHub: hubTable.awaitsHub) }

    /// The hubs that were removed and haven't been told.
    package nonisolated var formerHubs: [FormerHub] { hubTable.formerHubs }

    /// Records that a former hub knows that it was removed.
    package func wasTold(_ former: FormerHub) async {
        do throws(StoreError) {
            try await hubTable.forget(former)
            log.notice("A former hub knows that it was removed.", metadata: ["hub": "\(former.member.id)"])
        } catch {
            // It is told again, which changes nothing.
            log.error("That a former hub was told can't be stored.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Removes the pairings of hubs that are no longer in the list from all accessories, now or when they are reachable.
    package func releaseFormerHubs() async {
        if !hubTable.isPaired { await connections.setOtherHubsServers([]) }
        let listed = Set(hubTable.others.map(\.id))
        let former = Set(await connections.duties.controllers.map(\.hub)).subtracting(listed)
        for hub in former {
            do throws(HubError) {
                try await connections.removeControllers(of: hub)
            } catch {
                log.error("A former hub's pairings stay for now.", metadata: ["reason": "\(error.reason)"])
            }
        }
    }

    /// Returns the hubs that announce themselves on the network.
    package func announcedHubs(of type: ServiceType) -> any AsyncSequence<BrowseEvent, Never> & Sendable {
        network.services(of: type)
    }
}
