import Foundation
import HAP
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI

// Publishing of the reachability and the values of members' accessories.

extension AccessoryConnections {
    /// Publishes a member's accessories as reachable, with their values, and subscribes to their events.
    func publishAccessories(of deviceID: DeviceID) async {
        guard let home = links[deviceID]?.home, let members = await members(of: deviceID, in: home),
            let link = links[deviceID], let attributes = link.attributes
        else { return }
        var values: [ValueUpdate] = []
        var notifying: [CharacteristicID] = []
        var momentary: Set<CharacteristicID> = []
        for accessory in attributes {
            for characteristic in accessory.services.flatMap(\.characteristics) {
                let id = CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
                if characteristic.permissions.contains(.notify) { notifying.append(id) }
                if characteristic.type.isMomentary {
                    momentary.insert(id)
                } else if let member = members[accessory.aid], let value = characteristic.value {
                    let reference = CharacteristicReference(accessory: member, iid: characteristic.iid)
                    values.append(ValueUpdate(home: home, characteristic: reference, value: value))
                }
            }
        }
        // An event may arrive in between.
        link.values.momentary = momentary
        link.values.accessories = members
        // Every client receives the values of an accessory that joins the home or becomes reachable again.
        live.update(
            values.map { value in
                ValueActivity(update: value, arrival: link.attributesArrival, origin: .accessory, isForAll: true)
            }
        )
        subscribe(to: notifying.filter { !link.subscribed.contains($0) }, of: deviceID)
        let present = Set(attributes.map(\.aid))
        live.update(
            members.map { aid, id in
                let isPresent = present.contains(aid)
                return isPresent
                    ? ReachabilityUpdate(home: home, accessory: id, isReachable: true)
                    : ReachabilityUpdate(home: home, accessory: id, because: HubError(AccessoryTrouble.missingOnBridge))
            }
        )
    }

    private func subscribe(to characteristics: [CharacteristicID], of deviceID: DeviceID) {
        guard !characteristics.isEmpty, let link = links[deviceID] else { return }
        links[deviceID]?.subscribed.formUnion(characteristics)
        _ = link.session.submitSubscribe(characteristics, enabled: true)
        // No event reports changes from before the subscription, so the values are read right after it.
        let momentary = link.values.momentary
        let reading = link.session.submitRead(characteristics.filter { !momentary.contains($0) })
        Task { [values = link.values] in
            values.publish(
                await reading.value.compactMap { outcome in
                    (try? outcome.result.get()).map { (outcome.id, $0, outcome.arrival) }
                }
            )
        }
    }

    /// Publishes a member's accessories as unreachable, for a cause that its session reported.
    func publishUnreachable(_ deviceID: DeviceID, because cause: UnreachableCause) async {
        await publishUnreachable(deviceID, because: error(of: cause, at: deviceID))
    }

    /// Returns the error for a cause, taking the server's advertisement into account.
    func error(of cause: UnreachableCause, at deviceID: DeviceID) async -> HubError {
        let isUnpaired = await discovery.server(deviceID)?.isPaired == false
        // A different key doesn't count as a reset, because an impostor could send the same advertisement.
        guard cause == .pairingRefused || cause == .pairingForgotten else { return HubError(cause) }
        if isUnpaired { return HubError(AccessoryTrouble.wasReset) }
        return otherHubsServers.contains(deviceID) ? HubError(AccessoryTrouble.onlyOtherHub) : HubError(cause)
    }

    /// Publishes a member's accessories as unreachable.
    func publishUnreachable(_ deviceID: DeviceID, because error: HubError) async {
        guard let home = links[deviceID]?.home, let members = await members(of: deviceID, in: home),
            let link = links[deviceID]
        else { return }
        link.values.accessories = members
        // Checked last, because a late event of an earlier session may arrive after the accessory was blocked.
        let error = link.isBlocked ? .accessoryBlocked : error
        live.update(members.values.map { ReachabilityUpdate(home: home, accessory: $0, because: error) })
    }

    private func members(of deviceID: DeviceID, in home: UUID) async -> [UInt64: UUID]? {
        guard let home = await database.home(home) else { return nil }
        let records = home.accessories(onServer: deviceID.description)
        return Dictionary(records.map { ($0.aid, $0.id) }, uniquingKeysWith: { first, _ in first })
    }
}
