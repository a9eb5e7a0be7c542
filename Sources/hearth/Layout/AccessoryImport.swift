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
    /// Applies Home Assistant's names and areas, or `nil` to leave the accessories in the room.
    let placement: HomeAssistantPlacement?
    let isDryRun: Bool
    let removesOtherController: Bool

    /// Imports the entries of one accessory in order. After one succeeds, the others find the accessory in the home.
    func run(_ entries: [ControllerFile.Entry]) async -> [PairingImportReport] {
        var reports: [PairingImportReport] = []
        for entry in entries { reports.append(await run(entry)) }
        return reports
    }

    private func run(_ entry: ControllerFile.Entry) async -> PairingImportReport {
        let id = entry.deviceID?.description
        let name = entry.name.sanitized(maximumLength: HomeLimits.nameLength)
        var report = PairingImportReport(name: name.isEmpty ? id ?? "Unnamed entry" : name, id: id)
        let pairing: ExternalPairing
        do throws(ExternalPairingError) {
            pairing = try entry.pairing.get()
        } catch {
            report.fail(error)
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
            isDryRun: isDryRun,
            removesOtherController: removesOtherController
        )
        do throws(HubError) {
            let imported = try await client.call(
                HubMethods.importAccessory,
                parameters,
                waitingFor: "“\(report.name)”"
            )
            let problem = await placement?.apply(to: imported, of: pairing.deviceID)
            report.complete(imported, client.view.homes[home])
            if let problem { report.recordPlacementProblem(problem) }
        } catch {
            report.fail(error.code.rawValue, error.reason)
        }
        return report
    }
}
