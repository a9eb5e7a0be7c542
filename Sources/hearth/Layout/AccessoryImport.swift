import ControllerFiles
import Foundation
import HAP
import HomeModel
import HubAPI

/// Imports the entries of another controller's file, one accessory at a time.
struct AccessoryImport: Sendable {
    let client: HomeClient
    let home: UUID
    let room: UUID?
    /// Where accessories are put; nil leaves them in the room.
    let layout: HomeAssistantPlacement?
    let isRehearsal: Bool
    let takesOver: Bool

    /// Imports the entries of one accessory, one after the other: once it is in the home the rest has nothing to do.
    func run(_ entries: [ControllerFile.Entry]) async -> [PairingImportReport] {
        var reports: [PairingImportReport] = []
        for entry in entries { reports.append(await run(entry)) }
        return reports
    }

    private func run(_ entry: ControllerFile.Entry) async -> PairingImportReport {
        let id = entry.deviceID?.description
        let given = entry.name.shown(length: HomeLimits.nameLength)
        var report = PairingImportReport(name: given.isEmpty ? id ?? "An entry without a name" : given, id: id)
        let pairing: ExternalPairing
        do throws(ExternalPairingError) {
            pairing = try entry.pairing.get()
        } catch {
            report.fault(error)
            return report
        }
        let parameters = ImportAccessory(
            home: home,
            deviceID: pairing.deviceID.description,
            accessoryKey: Data(pairing.accessoryPublicKey.bytes),
            controllerID: pairing.controllerIdentity.pairingID.description,
            controllerSecret: Data(pairing.controllerIdentity.keyPair.seed),
            hosts: pairing.hosts,
            port: pairing.port,
            room: room,
            isRehearsal: isRehearsal,
            takesOver: takesOver
        )
        do throws(HubError) {
            let imported = try await client.call(
                HubMethods.importAccessory,
                parameters,
                waitingFor: "“\(report.name)”"
            )
            let trouble = await layout?.apply(to: imported, of: pairing.deviceID)
            report.done(imported, client.view.homes[home])
            if let trouble { report.misplaced(trouble) }
        } catch {
            report.failed(error.code.rawValue, error.reason)
        }
        return report
    }
}
