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
    static let announcementTimeout = Duration.seconds(3)

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
        var builder = DiagnosisBuilder()
        await walk(&builder)
        return AccessoryDiagnosis(accessory: subject.accessory, steps: builder.all)
    }

    private func walk(_ builder: inout DiagnosisBuilder) async {
        guard !subject.isBlocked else {
            return builder.fail(.allowed, "A user has blocked it.", [.init(.blocked)])
        }
        guard let status = await connections.status(of: subject.server, in: subject.home) else {
            return builder.fail(.allowed, "The hub has no pairing with it.", [.init(.noPairing)])
        }
        var remarks: [AccessoryDiagnosis.Finding] = []
        if status.lacksRoom { remarks.append(.init(.noRoomForHub)) }
        if status.isUnprepared { remarks.append(.init(.unprepared)) }
        builder.pass(.allowed, "It is not blocked, and the home has its pairing.", remarks)
        let (addresses, announced) = await findAddresses(status, &builder)
        if let attributes = status.attributes, await useSession(status, attributes, &builder) { return }
        guard !addresses.isEmpty else { return }
        await connect(to: addresses, announced: announced, status, &builder)
    }

    /// Finds the accessory on the network, and returns the addresses to try.
    private func findAddresses(
        _ status: AccessoryConnections.ServerStatus,
        _ builder: inout DiagnosisBuilder
    ) async -> (addresses: [AccessoryAddress], announced: Set<AccessoryAddress>) {
        async let listed = network.unresolvedServices(of: .hap, within: Self.announcementTimeout)
        _ = await discovery.server(subject.server, within: Self.announcementTimeout)
        let servers = await discovery.servers(subject.server)
        let known = status.knownAddresses
        guard let server = servers.first else {
            let last = known.first.map { "It was last reached at \($0)." }
            let names = subject.names.union([await discovery.lastName(of: subject.server)].compactMap(\.self))
            if let service = AdvertisementRules.own(await listed, subject.server, names) {
                builder.pass(.advertised, "“\(service.instance.name)” announces itself.")
                let detail = [AdvertisementRules.text(service.missingPart), last].compactMap(\.self).joined(
                    separator: " "
                )
                builder.fail(.address, detail, [.init(.incompletelyAdvertised)])
                return (known, [])
            }
            builder.fail(.advertised, "It is not announced by multicast DNS.", [.init(.notAdvertised)])
            builder.skip(.address, last ?? "No address is known.")
            return (known, [])
        }
        let rules = AdvertisementRules(
            servers: servers,
            networks: networks(),
            knownConfiguration: status.attributes == nil ? nil : await status.session.configurationNumber
        )
        let number = server.configurationNumber.map { ", configuration \($0)" } ?? ""
        builder.pass(.advertised, "“\(server.name)” announces itself\(number).", rules.findings)
        builder.pass(.address, "\(AdvertisementRules.text(server.addresses)).", rules.addressFindings)
        return (rules.addresses(known: known), Set(servers.flatMap(\.addresses)))
    }
}
