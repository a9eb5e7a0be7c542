import DNSSD
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// What the way in which an accessory announces itself says of it.
struct AdvertisementRules {
    /// Who announces its id, by name. The first is described, all are tried. Not empty.
    let servers: [AccessoryDiscovery.Server]
    /// The networks of the hub's machine.
    let networks: [Subnet]
    /// The number under which the hub's session has read the attributes; nil if there is no such session.
    let knownConfiguration: Int?

    /// What is the matter with what it announces.
    var findings: [AccessoryDiagnosis.Finding] {
        guard let server = servers.first else { return [] }
        var findings: [AccessoryDiagnosis.Finding] = []
        let others = servers.dropFirst().filter { Set($0.addresses).isDisjoint(with: server.addresses) }
        if !others.isEmpty {
            let places = ([server] + others).map { "“\($0.name)” at \(Self.text($0.addresses))" }
            findings.append(.init(.duplicateID, places.sorted().joined(separator: ", ")))
        }
        if !server.isPaired { findings.append(.init(.wasReset)) }
        if let announced = server.configurationNumber, let knownConfiguration, announced != knownConfiguration {
            findings.append(.init(.configurationDiffers, "\(announced), not \(knownConfiguration)"))
        }
        return findings
    }

    /// What is the matter with where it says it is.
    var addressFindings: [AccessoryDiagnosis.Finding] {
        let hosts = servers.first?.addresses.compactMap { IPAddress(String($0.host.prefix { $0 != "%" })) } ?? []
        guard !hosts.isEmpty else { return [] }
        let routed = hosts.filter { !$0.isIPv6LinkLocal }
        guard !routed.isEmpty else { return [.init(.linkLocalOnly, Self.text(servers[0].addresses))] }
        let isNear = routed.contains { address in networks.contains { $0.contains(address) } }
        return isNear ? [] : [.init(.otherNetwork, Self.text(servers[0].addresses))]
    }

    /// Which of the services that are listed incompletely is a server: the one with its id, else, of those that tell no id,
    /// one with its name.
    static func own(_ services: [UnresolvedService], _ deviceID: DeviceID, _ names: Set<String>) -> UnresolvedService? {
        let id = TXTKey.deviceID.rawValue
        let instances = Set(names.map { ServiceInstance(name: $0, type: .hap) })
        return services.first { $0.txt?[id].flatMap { DeviceID($0) } == deviceID }
            ?? services.first { $0.txt?[id] == nil && instances.contains($0.instance) }
    }

    /// What a service does not tell, in words.
    static func text(_ part: UnresolvedService.MissingPart) -> String {
        switch part {
        case .host: "It does not say which host it is on (no SRV record)."
        case .address(let host): "It is on \(host), of which nobody tells an address."
        case .description: "It does not say what it is (no TXT record)."
        }
    }

    /// Where it is looked for: where it proved who it is before, then in turn at the addresses of all who announce its id,
    /// then where else it may be.
    ///
    /// - Parameter known: Where it was; where it last proved who it is comes first.
    func places(known: [AccessoryAddress]) -> [AccessoryAddress] {
        let announced = servers.map { AccessoryAddress.sortedByPreference($0.addresses) }
        let rounds = 0..<(announced.map(\.count).max() ?? 0)
        let inTurn = rounds.flatMap { round in announced.compactMap { $0.dropFirst(round).first } }
        var seen: Set<AccessoryAddress> = []
        return (known.prefix(1) + inTurn + known).filter { seen.insert($0).inserted }
    }

    /// Addresses in words.
    static func text(_ addresses: [AccessoryAddress]) -> String {
        addresses.map(\.description).joined(separator: ", ")
    }
}
