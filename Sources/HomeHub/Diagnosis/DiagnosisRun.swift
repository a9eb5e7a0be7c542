import DNSSD
import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// Checks the path to an accessory step by step and records how far the hub gets.
///
/// If the hub's own connection is open, the run uses it and leaves it open: some accessories close a controller's first
/// connection when it opens a second. Otherwise the run opens a connection and closes it at the end.
struct DiagnosisRun: Sendable {
    /// The accessory to diagnose.
    struct Subject: Sendable {
        let home: UUID
        let accessory: UUID
        let server: DeviceID
        let aid: UInt64
        var isBlocked: Bool
        /// The names of the server's own accessory: the reported name and the name in the home.
        let names: Set<String>
    }

    /// The time that an accessory has to announce itself.
    static let sightingTime = Duration.seconds(3)

    var subject: Subject
    let connections: AccessoryConnections
    let discovery: AccessoryDiscovery
    let network: any ServiceDiscovery
    let live: LiveState
    /// The networks of this machine.
    let networks: @Sendable () -> [Subnet]
    let now: @Sendable () -> Date

    /// Runs the diagnosis.
    func diagnosis() async -> AccessoryDiagnosis {
        var notes = DiagnosisBuilder()
        await walk(&notes)
        return AccessoryDiagnosis(accessory: subject.accessory, steps: notes.all)
    }

    private func walk(_ notes: inout DiagnosisBuilder) async {
        guard !subject.isBlocked else {
            return notes.fail(.allowed, "A user has blocked it.", [.init(.blocked)])
        }
        guard let standing = await connections.standing(with: subject.server, in: subject.home) else {
            return notes.fail(.allowed, "The hub has no pairing with it.", [.init(.noPairing)])
        }
        notes.pass(.allowed, "It is not blocked, and the home has its pairing.")
        let (addresses, announced) = await look(standing, &notes)
        if let attributes = standing.attributes, await useSession(standing, attributes, &notes) { return }
        guard !addresses.isEmpty else { return }
        await connect(to: addresses, announced: announced, standing, &notes)
    }

    /// Finds the accessory on the network, and returns the addresses to try.
    private func look(
        _ standing: AccessoryConnections.ServerStatus,
        _ notes: inout DiagnosisBuilder
    ) async -> (places: [AccessoryAddress], announced: Set<AccessoryAddress>) {
        async let listed = network.unresolvedServices(of: .hap, within: Self.sightingTime)
        _ = await discovery.server(subject.server, within: Self.sightingTime)
        let servers = await discovery.servers(subject.server)
        let known = standing.knownAddresses
        guard let server = servers.first else {
            let last = known.first.map { "It was last reached at \($0)." }
            let names = subject.names.union([await discovery.lastName(of: subject.server)].compactMap(\.self))
            if let service = AdvertisementRules.own(await listed, subject.server, names) {
                notes.pass(.advertised, "“\(service.instance.name)” announces itself.")
                let detail = [AdvertisementRules.text(service.missingPart), last].compactMap(\.self).joined(
                    separator: " "
                )
                notes.fail(.address, detail, [.init(.incompletelyAdvertised)])
                return (known, [])
            }
            notes.fail(.advertised, "It is not announced by multicast DNS.", [.init(.notAdvertised)])
            notes.skip(.address, last ?? "No address is known.")
            return (known, [])
        }
        let rules = AdvertisementRules(
            servers: servers,
            networks: networks(),
            knownConfiguration: standing.attributes == nil ? nil : await standing.session.configurationNumber
        )
        let number = server.configurationNumber.map { ", configuration \($0)" } ?? ""
        notes.pass(.advertised, "“\(server.name)” announces itself\(number).", rules.findings)
        notes.pass(.address, "\(AdvertisementRules.text(server.addresses)).", rules.addressFindings)
        return (rules.places(known: known), Set(servers.flatMap(\.addresses)))
    }
}
