import DNSSD

/// What the facts of a report mean: the mistakes that are common, each recognised by what it leaves behind.
struct DiscoveryRules {
    let report: DiscoveryReport
    let services: [Service]
    /// Accessories of which not enough is told to connect to them.
    let unresolved: [UnresolvedService]
    /// The networks of each interface, by its name.
    let networks: [String: [Subnet]]
    /// Why nothing could be opened at all.
    let refusal: DNSSDError?

    private static let allowing = """
        allow UDP port 5353 in and out, to 224.0.0.251 and ff02::fb (ufw allow 5353/udp; firewall-cmd --add-service=mdns; \
        nft list ruleset shows the rules)
        """

    /// The findings, problems first.
    var findings: [DiscoveryFinding] {
        let ofInterfaces = ofRefusal + used.flatMap(ofTraffic) + ofSilence + ofUnusedInterfaces
        let all = ofInterfaces + ofOtherNetworks + ofUnresolved + ofSharedPort
        return all.filter(\.isProblem) + all.filter { !$0.isProblem }
    }

    private var used: [DiscoveryReport.Interface] {
        report.interfaces.filter { $0.traffic != nil }
    }

    /// The interfaces in use that lead somewhere.
    private var outward: [DiscoveryReport.Interface] {
        used.filter { !$0.isLoopback }
    }

    private var portHolders: String {
        let names = report.portUsers.map { user in
            user.process.map { "\($0) (process \(user.id ?? 0), account \(user.user))" }
                ?? "a process of the account \(user.user) that only root may look at"
        }
        return names.isEmpty ? "a program that cannot be seen from here" : names.joined(separator: ", ")
    }

    private var ofRefusal: [DiscoveryFinding] {
        guard let refusal else { return [] }
        switch refusal.code {
        case .portRefused:
            return [portHeld(on: nil)]
        case .unknownInterface:
            return [.problem(.unknownInterface, refusal.reason, advice: "name one of those that are there")]
        case .noUsableInterface:
            let advice = """
                connect a network, switch its interface on (ip link set NAME up) and multicast with it \
                (ip link set NAME multicast on), and give it an address
                """
            return [.problem(.noUsableInterface, refusal.reason, advice: advice)]
        default:
            return [
                .problem(.socketRefused, refusal.reason, advice: "look for limits on this process, such as a sandbox")
            ]
        }
    }

    private func portHeld(on interface: String?) -> DiscoveryFinding {
        .problem(
            .portHeld,
            interface,
            "UDP port 5353 is held by a program that does not share it; it is open in \(portHolders)",
            advice: "end that program, or have it share the port (Avahi does)"
        )
    }

    private func ofTraffic(_ interface: DiscoveryReport.Interface) -> [DiscoveryFinding] {
        guard let traffic = interface.traffic else { return [] }
        var findings: [DiscoveryFinding] = []
        if traffic.refusal == DNSSDError.Code.portRefused.rawValue {
            findings.append(portHeld(on: interface.name))
        } else if let refusal = traffic.refusal {
            let text = "the system refuses a socket (\(refusal))"
            findings.append(.problem(.socketRefused, interface.name, text, advice: "look for limits on this process"))
        }
        guard traffic.ownHeard == 0 else { return findings }
        if traffic.unsent > 0 {
            let text = "the system does not let packets out: \(traffic.unsent) were refused, and none came back"
            findings.append(
                .problem(.sendingBlocked, interface.name, text, advice: "if it is a firewall, \(Self.allowing)")
            )
        } else if traffic.sent > 0 {
            let text = "own packets to the group do not come back, so those of others will not arrive either"
            findings.append(
                .problem(
                    .multicastBlocked,
                    interface.name,
                    text,
                    advice: "it is most likely a firewall; \(Self.allowing)"
                )
            )
        }
        return findings
    }

    /// What it means that nobody, or no accessory, was heard.
    private var ofSilence: [DiscoveryFinding] {
        let working = outward.filter { ($0.traffic?.ownHeard ?? 0) > 0 }
        let silent = working.filter { $0.traffic?.heard == 0 }
        var findings: [DiscoveryFinding] = []
        if report.isContainer, !outward.isEmpty, outward.allSatisfy({ $0.driver == "veth" }) {
            let text = """
                this is a container with a network of its own: multicast of the network outside does not reach \
                \(outward.map(\.name).joined(separator: ", "))
                """
            let advice = """
                run it in the host's network (docker run --network host, hostNetwork: true), give it an interface in the \
                accessories' network (macvlan), or have a reflector on the host
                """
            let isAlone = silent.count == working.count
            findings.append(
                isAlone
                    ? .problem(.containerNetwork, text, advice: advice) : .note(.containerNetwork, text, advice: advice)
            )
        } else {
            for interface in silent {
                let text = "nobody else was heard, although multicast works on this host"
                let advice = """
                    if accessories are in another network (a VLAN, a guest or second Wi-Fi), have the router reflect mDNS \
                    between them (Avahi's enable-reflector, “mDNS repeater”), or put this host into theirs; in Wi-Fi, \
                    switch “AP isolation” off; on a switch, let IGMP and MLD snooping pass 224.0.0.251 and ff02::fb
                    """
                let isAlone = silent.count == working.count && report.accessories.isEmpty
                findings.append(
                    isAlone
                        ? .problem(.nobodyHeard, interface.name, text, advice: advice)
                        : .note(.nobodyHeard, interface.name, text, advice: advice)
                )
            }
        }
        if silent.count < working.count, report.accessories.isEmpty, unresolved.isEmpty {
            let text = "others speak multicast DNS here, but no accessory answered"
            let advice = """
                see that the accessory is on and in this network: one in another VLAN is not heard without a reflector; \
                one that is set up by Bluetooth first is not in a network yet
                """
            findings.append(.note(.noAccessories, text, advice: advice))
        }
        return findings
    }

    private var ofUnusedInterfaces: [DiscoveryFinding] {
        report.interfaces.compactMap { interface in
            guard interface.traffic == nil, !interface.isLoopback, !interface.isPointToPoint,
                !interface.addresses.isEmpty
            else { return nil }
            if !interface.isUp {
                return .note(
                    .interfaceUnusable,
                    interface.name,
                    "it is switched off",
                    advice: "ip link set \(interface.name) up"
                )
            }
            if !interface.isRunning {
                return .note(
                    .interfaceUnusable,
                    interface.name,
                    "it has no connection",
                    advice: "put the cable in, or join a Wi-Fi"
                )
            }
            if !interface.supportsMulticast {
                let advice = "ip link set \(interface.name) multicast on"
                return .note(.interfaceUnusable, interface.name, "multicast is switched off on it", advice: advice)
            }
            return nil
        }
    }

    /// Accessories that a reflector tells of, which are reached through a router only.
    private var ofOtherNetworks: [DiscoveryFinding] {
        services.flatMap { service in
            Dictionary(grouping: service.addresses, by: \.interfaceName).compactMap {
                name,
                addresses -> DiscoveryFinding? in
                let own = networks[name] ?? []
                let addresses = addresses.map(\.address)
                guard !addresses.contains(where: { address in own.contains { $0.contains(address) } }) else {
                    return nil
                }
                let text = """
                    “\(service.instance.name)” is at \(addresses.map(\.description).joined(separator: ", ")), in none of \
                    the networks of \(name): a reflector tells of it
                    """
                let advice = "see that the router lets this host connect to port \(service.port) there"
                return .note(.otherNetwork, name, text, advice: advice)
            }
        }
    }

    /// Accessories that are listed and nowhere to be found.
    private var ofUnresolved: [DiscoveryFinding] {
        unresolved.map { service in
            let gap =
                switch service.gap {
                case .host: "which host it is on (no SRV record)"
                case .address(let host): "an address of its host \(host)"
                case .description: "what it is (no TXT record)"
                }
            let text = "“\(service.instance.name)” announces itself, but does not tell \(gap)"
            let advice = """
                restart it; if it stays so, see that multicast DNS passes both ways between it and this host (router, access \
                point, firewall)
                """
            return .note(.incompletelyAdvertised, text, advice: advice)
        }
    }

    private var ofSharedPort: [DiscoveryFinding] {
        guard !report.portUsers.isEmpty, refusal?.code != .portRefused else { return [] }
        let text = "UDP port 5353 is also open in \(portHolders)"
        return [.note(.portShared, text, advice: "nothing, as long as all of them share it")]
    }
}
