import ControllerFiles
import Foundation
import HAP
import HomeModel
import HubAPI

/// Moves imported accessories to rooms named like Home Assistant's areas, and gives them their names there.
struct HomeAssistantPlacement: Sendable {
    let client: HomeClient
    let home: UUID
    let registry: HomeAssistantRegistry

    /// Renames and moves the accessories that an import added. An accessory that was in the home before keeps its name,
    /// and moves only if it is still in the default room.
    ///
    /// - Returns: The problems, or `nil` if everything succeeded.
    func apply(to imported: ImportedAccessory, of server: DeviceID) async -> String? {
        var problems: [String] = []
        for id in imported.ids {
            guard let state = client.view.homes[home], let record = state.accessories[id: id],
                let device = registry.device(on: server, aid: record.aid),
                imported.outcome == .added || record.room == state.defaultRoom
            else { continue }
            for change in imported.outcome == .added ? [rename, move] : [move] {
                do throws(HubError) {
                    try await change(record, device)
                } catch {
                    problems.append("“\(record.name)”: \(error.reason)")
                }
            }
        }
        return problems.isEmpty ? nil : "Some names or rooms differ. \(problems.joined(separator: " "))"
    }

    @Sendable
    private func rename(
        _ record: AccessoryRecord,
        _ device: HomeAssistantRegistry.Device
    ) async throws(HubError) {
        guard let name = device.name, name != record.name else { return }
        _ = try await client.call(HubMethods.renameAccessory, InHome(home, RenameAccessory(record.id, name: name)))
    }

    @Sendable
    private func move(
        _ record: AccessoryRecord,
        _ device: HomeAssistantRegistry.Device
    ) async throws(HubError) {
        guard let area = device.area else { return }
        let room = try await room(named: area)
        guard room != record.room else { return }
        _ = try await client.call(HubMethods.moveAccessory, InHome(home, MoveAccessory(record.id, room: room)))
    }

    /// Returns the room with a name, after adding it if needed.
    private func room(named name: String) async throws(HubError) -> UUID {
        if let room = existingRoom(named: name) { return room }
        do throws(HubError) {
            return try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: name))).id
        } catch {
            // A concurrent import of another accessory may have added the room.
            guard let room = existingRoom(named: name) else { throw error }
            return room
        }
    }

    private func existingRoom(named name: String) -> UUID? {
        let folded = FoldedName(name)
        return client.view.homes[home]?.rooms.first { FoldedName($0.name) == folded }?.id
    }
}
