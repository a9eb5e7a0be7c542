import DNSSD
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// Rules that find problems in an accessory's advertisements.
struct AdvertisementRules {
    /// The servers that advertise the device ID, by name. The first is described, all are tried. Not empty.
    let servers: [AccessoryDiscovery.Server]
    /// The networks of the hub's machine.
    let networks: [Subnet]
    /// The configuration number that the hub's session has read; `nil` if there is no session.
    let knownConfiguration: Int?

    /// The problems of the advertisements.
    var findings: [AccessoryDiagnosis.Finding] {
        guard let server = servers.first else { return [] }
        var findings: [AccessoryDiagnosis.Finding] = []
        let others = servers.dropFirst().filter { Set($0.addresses).isDisjoint(with: server.addresses) }
        if !others.isEmpty {
            let locations = ([server] + others).map { "“\($0.name)” at \(Self.text($0.addresses))" }
            findings.append(.init(.duplicateID, locations.sorted().joined(separator: ", ")))
        }
        if !server.isPaired { findings.append(.init(.wasReset)) }
        if let announced = server.configurationNumber, let knownConfiguration, announced != knownConfiguration {
            findings.append(.init(.configurationDiffers, "\(announced), not \(knownConfiguration)"))
        }
        return findings
    }

    /// The problems of the advertised addresses.
    var addressFindings: [AccessoryDiagnosis.Finding] {
        let hosts = servers.first?.addresses.compactMap { IPAddress(String($0.host.prefix { $0 != "%" })) } ?? []
        guard !hosts.isEmpty else { return [] }
        let routed = hosts.filter { !$0.isIPv6LinkLocal }
        guard !routed.isEmpty else { return [.init(.linkLocalOnly, Self.text(servers[0].addresses))] }
        let isNear = routed.contains { address in networks.contains { $0.contains(address) } }
        return isNear ? [] : [.init(.otherNetwork, Self.text(servers[0].addresses))]
    }

    /// Returns the accessory's service among those that are advertised incompletely: the one with its device ID,
    /// otherwise one with its name and without a device ID.
    static func own(_ services: [UnresolvedService], _ deviceID: DeviceID, _ names: Set<String>) -> UnresolvedService? {
        let id = TXTKey.deviceID.rawValue
        let instances = Set(names.map { ServiceInstance(name: $0, type: .hap) })
        return services.first { $0.txt?[id].flatMap { DeviceID($0) } == deviceID }
            ?? services.first { $0.txt?[id] == nil && instances.contains($0.instance) }
    }

    /// Returns a sentence that says what a service's advertisement lacks.
    static func text(_ part: UnresolvedService.MissingPart) -> String {
        switch part {
        case .host: "Its host is unknown (no SRV record)."
        case .address(let host): "Its host \(host) has no known address."
        case .description: "Its description is missing (no TXT record)."
        }
    }

    /// Returns the addresses to try: first where the accessory last proved its identity, then the addresses of all
    /// servers in turn, then the other known addresses.
    ///
    /// - Parameter known: The addresses where the accessory was before, the one where it last proved its identity
    ///   first.
    func addresses(known: [AccessoryAddress]) -> [AccessoryAddress] {
        let announced = servers.map { AccessoryAddress.sortedByPreference($0.addresses) }
        let rounds = 0..<(announced.map(\.count).max() ?? 0)
        let inTurn = rounds.flatMap { round in announced.compactMap { $0.dropFirst(round).first } }
        var seen: Set<AccessoryAddress> = []
        return (known.prefix(1) + inTurn + known).filter { seen.insert($0).inserted }
    }

    /// Returns a list of addresses as text.
    static func text(_ addresses: [AccessoryAddress]) -> String {
        addresses.map(\.description).joined(separator: ", ")
    }
}
