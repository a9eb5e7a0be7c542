import Foundation
import HomeKit

/// A delegate of all objects that records its calls. Each note shows the objects' state at the time of the call.
final class Recorder: NSObject, Sendable {
    let notes = Inbox<String>()
    /// The states of the hub. They are separate from the notes, because most tests that disconnect are about something
    /// else.
    let hubStates = Inbox<HMHomeHubState>()

    func next() async throws -> String { try await notes.next() }

    /// Returns the next note about loaded homes. A delegate that was set late may have missed earlier ones.
    func nextUpdate() async throws -> String {
        while true {
            let note = try await notes.next()
            if note.hasPrefix("homes") { return note }
        }
    }
}

extension Recorder: HMHomeManagerDelegate {
    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        notes.put("status \(status.rawValue)")
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        notes.put("homes \(manager.homes.map(\.name))")
    }

    func homeManagerDidUpdatePrimaryHome(_ manager: HMHomeManager) {
        notes.put("primary \(manager.primaryHome?.name ?? "none")")
    }

    func homeManager(_ manager: HMHomeManager, didAdd home: HMHome) {
        notes.put("added home \(home.name) of \(manager.homes.count)")
    }

    func homeManager(_ manager: HMHomeManager, didRemove home: HMHome) {
        notes.put("removed home \(home.name) of \(manager.homes.count)")
    }
}

extension Recorder: HMHomeDelegate {
    func homeDidUpdateName(_ home: HMHome) { notes.put("home name \(home.name)") }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) { notes.put("added accessory \(accessory.name)") }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) { notes.put("removed accessory \(accessory.name)") }

    func home(_ home: HMHome, didUnblockAccessory accessory: HMAccessory) {
        notes.put("unblocked accessory \(accessory.name), \(accessory.isBlocked)")
    }

    func home(_ home: HMHome, didEncounterError error: any Error, for accessory: HMAccessory) {
        notes.put("trouble of \(accessory.name): \((error as? HMError)?.code.rawValue ?? 0)")
    }

    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        notes.put("\(accessory.name) in \(room.name), \(accessory.room === room)")
    }

    func home(_ home: HMHome, didAdd room: HMRoom) { notes.put("added room \(room.name) of \(home.rooms.count)") }

    func home(_ home: HMHome, didRemove room: HMRoom) { notes.put("removed room \(room.name) of \(home.rooms.count)") }

    func home(_ home: HMHome, didUpdateNameFor room: HMRoom) { notes.put("room name \(room.name)") }

    func home(_ home: HMHome, didAdd zone: HMZone) { notes.put("added zone \(zone.name)") }

    func home(_ home: HMHome, didRemove zone: HMZone) { notes.put("removed zone \(zone.name)") }

    func home(_ home: HMHome, didUpdateNameFor zone: HMZone) { notes.put("zone name \(zone.name)") }

    func home(_ home: HMHome, didAdd room: HMRoom, to zone: HMZone) {
        notes.put("\(room.name) into \(zone.name) \(zone.rooms.map(\.name))")
    }

    func home(_ home: HMHome, didRemove room: HMRoom, from zone: HMZone) {
        notes.put("\(room.name) out of \(zone.name) \(zone.rooms.map(\.name))")
    }

    func home(_ home: HMHome, didAdd group: HMServiceGroup) {
        notes.put("added group \(group.name) of \(home.serviceGroups.count)")
    }

    func home(_ home: HMHome, didRemove group: HMServiceGroup) {
        notes.put("removed group \(group.name) of \(home.serviceGroups.count)")
    }

    func home(_ home: HMHome, didUpdateNameFor group: HMServiceGroup) { notes.put("group name \(group.name)") }

    func home(_ home: HMHome, didAdd service: HMService, to group: HMServiceGroup) {
        notes.put("\(service.name) into \(group.name) \(group.services.map(\.name))")
    }

    func home(_ home: HMHome, didRemove service: HMService, from group: HMServiceGroup) {
        notes.put("\(service.name) out of \(group.name) \(group.services.map(\.name))")
    }

    func home(_ home: HMHome, didAdd actionSet: HMActionSet) {
        notes.put("added action set \(actionSet.name) of \(home.actionSets.count)")
    }

    func home(_ home: HMHome, didRemove actionSet: HMActionSet) {
        notes.put("removed action set \(actionSet.name) of \(home.actionSets.count)")
    }

    func home(_ home: HMHome, didUpdateNameFor actionSet: HMActionSet) {
        notes.put("action set name \(actionSet.name)")
    }

    func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet) {
        notes.put("actions of \(actionSet.name): \(actionSet.actions.count)")
    }

    func home(_ home: HMHome, didAdd trigger: HMTrigger) {
        notes.put("added trigger \(trigger.name) of \(home.triggers.count)")
    }

    func home(_ home: HMHome, didRemove trigger: HMTrigger) {
        notes.put("removed trigger \(trigger.name) of \(home.triggers.count)")
    }

    func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger) {
        notes.put("trigger name \(trigger.name)")
    }

    func home(_ home: HMHome, didUpdate trigger: HMTrigger) {
        notes.put("updated trigger \(trigger.name): \(trigger.isEnabled), \(trigger.actionSets.map(\.name))")
    }

    func home(_ home: HMHome, didAdd user: HMUser) { notes.put("added user \(user.name)") }

    func home(_ home: HMHome, didRemove user: HMUser) { notes.put("removed user \(user.name)") }

    func homeDidUpdateAccessControl(forCurrentUser home: HMHome) {
        let control = home.homeAccessControl(for: home.currentUser)
        notes.put("administrator \(control.isAdministrator)")
    }

    func home(_ home: HMHome, didUpdate homeHubState: HMHomeHubState) { hubStates.put(homeHubState) }
}

extension Recorder: HMAccessoryDelegate {
    func accessoryDidUpdateName(_ accessory: HMAccessory) { notes.put("accessory name \(accessory.name)") }

    func accessory(_ accessory: HMAccessory, didUpdateNameFor service: HMService) {
        notes.put("service name \(service.name)")
    }

    func accessory(_ accessory: HMAccessory, didUpdateAssociatedServiceTypeFor service: HMService) {
        notes.put("service associated \(service.associatedServiceType ?? "none")")
    }

    func accessoryDidUpdateServices(_ accessory: HMAccessory) { notes.put("services \(accessory.services.count)") }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) { notes.put("reachable \(accessory.isReachable)") }

    func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {
        let value = characteristic.value.map { "\($0)" } ?? "none"
        notes.put("\(service.localizedDescription) \(characteristic.localizedDescription) \(value)")
    }

    func accessory(_ accessory: HMAccessory, didUpdateFirmwareVersion firmwareVersion: String) {
        notes.put("firmware \(firmwareVersion)")
    }

    func accessory(_ accessory: HMAccessory, didAdd profile: HMAccessoryProfile) {
        notes.put("added profile of \(profile.services.count), \(accessory.profiles == [profile])")
    }

    func accessory(_ accessory: HMAccessory, didRemove profile: HMAccessoryProfile) {
        notes.put("removed profile of \(profile.services.count), \(accessory.profiles.isEmpty)")
    }
}

extension Recorder: HMAccessoryBrowserDelegate {
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {
        notes.put("found \(accessory.name) of \(browser.discoveredAccessories.count)")
    }

    func accessoryBrowser(_ browser: HMAccessoryBrowser, didRemoveNewAccessory accessory: HMAccessory) {
        notes.put("lost \(accessory.name) of \(browser.discoveredAccessories.count)")
    }
}
