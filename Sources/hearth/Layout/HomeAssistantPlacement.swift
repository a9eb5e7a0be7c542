import ControllerFiles
import Foundation
import HAP
import HomeModel
import HubAPI

/// Puts imported accessories into rooms called like Home Assistant's areas, and names them as people have there.
struct HomeAssistantPlacement: Sendable {
    let client: HomeClient
    let home: UUID
    let registry: HomeAssistantRegistry

    /// Lays out what an import brought into the home. What was in the home before keeps its name, and is moved only while it
    /// is in the default room, where nobody has put it.
    ///
    /// - Returns: What could not be done, nil if all was.
    func apply(to imported: ImportedAccessory, of server: DeviceID) async -> String? {
        var troubles: [String] = []
        for id in imported.ids {
            guard let state = client.view.homes[home], let record = state.accessories[id: id],
                let device = registry.device(on: server, aid: record.aid),
                imported.outcome == .added || record.room == state.defaultRoom
            else { continue }
            for change in imported.outcome == .added ? [rename, move] : [move] {
                do throws(HubError) {
                    try await change(record, device)
                } catch {
                    troubles.append("“\(record.name)”: \(error.reason)")
                }
            }
        }
        return troubles.isEmpty ? nil : "Not all is as in Home Assistant. \(troubles.joined(separator: " "))"
    }

    @Sendable
    private func rename(
        _ record: AccessoryRecord,
        _ device: HomeAssistantRegistry.Device
    ) async throws(HubError) {
        guard let name = device.name, name != record.name else { return }
        _ = try await client.call(HubMethods.renameAccessory, Rename(home: home, id: record.id, name: name))
    }

    @Sendable
    private func move(
        _ record: AccessoryRecord,
        _ device: HomeAssistantRegistry.Device
    ) async throws(HubError) {
        guard let area = device.area else { return }
        let room = try await room(named: area)
        guard room != record.room else { return }
        _ = try await client.call(HubMethods.moveAccessory, MoveAccessory(home: home, id: record.id, room: room))
    }

    /// The room of that name, added if there is none.
    private func room(named name: String) async throws(HubError) -> UUID {
        if let room = existingRoom(named: name) { return room }
        do throws(HubError) {
            return try await client.call(HubMethods.addRoom, AddNamed(home: home, name: name)).id
        } catch {
            // Another accessory of this import may have added it meanwhile.
            guard let room = existingRoom(named: name) else { throw error }
            return room
        }
    }

    private func existingRoom(named name: String) -> UUID? {
        let folded = FoldedName(name)
        return client.view.homes[home]?.rooms.first { FoldedName($0.name) == folded }?.id
    }
}
