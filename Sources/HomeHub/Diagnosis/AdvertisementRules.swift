import DNSSD
import HAPClient
import HubAPI

/// What the way in which an accessory announces itself says of it.
struct AdvertisementRules {
    /// What was heard under its id, first of whom the hub takes for it. Not empty.
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

    /// Addresses in words.
    static func text(_ addresses: [AccessoryAddress]) -> String {
        addresses.map(\.description).joined(separator: ", ")
    }
}
