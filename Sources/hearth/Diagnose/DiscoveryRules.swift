import DNSSD

/// Derives findings from the observations in a report. Each rule recognizes a common mistake by its symptoms.
struct DiscoveryRules {
    let report: DiscoveryReport
    let services: [Service]
    /// The accessories whose announcements lack records that are needed to connect to them.
    let unresolved: [UnresolvedService]
    /// The networks of each interface, by the interface's name.
    let networks: [String: [Subnet]]
    /// The error, if no interface could be used.
    let refusal: DNSSDError?

    private static let allowTraffic = """
        allow UDP port 5353 in and out, to 224.0.0.251 and ff02::fb (ufw allow 5353/udp; firewall-cmd \
        --add-service=mdns; nft list ruleset shows the rules).
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

    /// The interfaces in use, except loopback.
    private var outward: [DiscoveryReport.Interface] {
        used.filter { !$0.isLoopback }
    }

    private var portHolders: String {
        let names = report.portUsers.map { user in
            user.process.map { "\($0) (process \(user.id ?? 0), user \(user.user))" }
                ?? "a process of the user \(user.user) that only root can inspect"
        }
        return names.isEmpty ? "a program that isn't visible from here" : names.joined(separator: ", ")
    }

    private var ofRefusal: [DiscoveryFinding] {
        guard let refusal else { return [] }
        switch refusal.code {
        case .portRefused:
            return [portHeld(on: nil)]
        case .unknownInterface:
            return [.problem(.unknownInterface, refusal.reason, advice: "Name an existing interface.")]
        case .noUsableInterface:
            let advice = """
                Connect to a network, bring the interface up (ip link set NAME up) with multicast (ip link set NAME \
                multicast on), and give it an address.
                """
            return [.problem(.noUsableInterface, refusal.reason, advice: advice)]
        default:
            return [
                .problem(.socketRefused, refusal.reason, advice: "Check for limits on this process, such as a sandbox.")
            ]
        }
    }

    private func portHeld(on interface: String?) -> DiscoveryFinding {
        .problem(
            .portHeld,
            interface,
            "A program holds UDP port 5353 without sharing it. The port is open in \(portHolders).",
            advice: "Stop that program, or configure it to share the port as Avahi does."
        )
    }

    private func ofTraffic(_ interface: DiscoveryReport.Interface) -> [DiscoveryFinding] {
        guard let traffic = interface.traffic else { return [] }
        var findings: [DiscoveryFinding] = []
        if traffic.refusal == DNSSDError.Code.portRefused.rawValue {
            findings.append(portHeld(on: interface.name))
        } else if let refusal = traffic.refusal {
            let text = "The system refused a socket (\(refusal))."
            findings.append(.problem(.socketRefused, interface.name, text, advice: "Check for limits on this process."))
        }
        guard traffic.ownHeard == 0 else { return findings }
        if traffic.unsent > 0 {
            let text = "The system refused to send \(traffic.unsent) packets, and none looped back."
            findings.append(
                .problem(.sendingBlocked, interface.name, text, advice: "If there is a firewall, \(Self.allowTraffic)")
            )
        } else if traffic.sent > 0 {
            let text = "This host's multicast packets don't loop back, so other hosts' won't arrive either."
            findings.append(
                .problem(
                    .multicastBlocked,
                    interface.name,
                    text,
                    advice: "This is most likely a firewall: \(Self.allowTraffic)"
                )
            )
        }
        return findings
    }

    /// Findings about interfaces on which no other host, or no accessory, was received.
    private var ofSilence: [DiscoveryFinding] {
        let working = outward.filter { ($0.traffic?.ownHeard ?? 0) > 0 }
        let silent = working.filter { $0.traffic?.heard == 0 }
        var findings: [DiscoveryFinding] = []
        if report.isContainer, !outward.isEmpty, outward.allSatisfy({ $0.driver == "veth" }) {
            let text = """
                This is a container with its own network. Multicast from outside doesn't reach \
                \(outward.map(\.name).joined(separator: ", ")).
                """
            let advice = """
                Run it in the host's network (docker run --network host, hostNetwork: true), give it an interface in \
                the accessories' network (macvlan), or run an mDNS reflector on the host.
                """
            let isAlone = silent.count == working.count
            findings.append(
                isAlone
                    ? .problem(.containerNetwork, text, advice: advice) : .note(.containerNetwork, text, advice: advice)
            )
        } else {
            for interface in silent {
                let text = "No other host was received, although multicast works on this host."
                let advice = """
                    If the accessories are in another network (a VLAN, a guest or second Wi-Fi), let the router \
                    reflect mDNS between the networks (Avahi's enable-reflector, “mDNS repeater”), or move this host \
                    into theirs. In Wi-Fi, disable AP isolation. On a switch, let IGMP and MLD snooping pass \
                    224.0.0.251 and ff02::fb.
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
            let text = "Other hosts use multicast DNS here, but no accessory answered."
            let advice = """
                Check that the accessory is on and in this network. An accessory in another VLAN needs an mDNS \
                reflector. An accessory that is set up over Bluetooth isn't in a network yet.
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
                    "The interface is down.",
                    advice: "Run: ip link set \(interface.name) up"
                )
            }
            if !interface.isRunning {
                return .note(
                    .interfaceUnusable,
                    interface.name,
                    "The interface has no link.",
                    advice: "Plug in the cable, or join a Wi-Fi network."
                )
            }
            if !interface.supportsMulticast {
                let advice = "Run: ip link set \(interface.name) multicast on"
                return .note(.interfaceUnusable, interface.name, "Multicast is disabled.", advice: advice)
            }
            return nil
        }
    }

    /// Notes about accessories that a reflector announces and only a router reaches.
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
                    “\(service.instance.name)” is at \(addresses.map(\.description).joined(separator: ", ")), outside \
                    the networks of \(name). A reflector announces it.
                    """
                let advice = "Check that the router lets this host connect to its port \(service.port)."
                return .note(.otherNetwork, name, text, advice: advice)
            }
        }
    }

    /// Notes about accessories with incomplete announcements.
    private var ofUnresolved: [DiscoveryFinding] {
        unresolved.map { service in
            let gap =
                switch service.missingPart {
                case .host: "its host (no SRV record)"
                case .address(let host): "an address of its host \(host)"
                case .description: "its description (no TXT record)"
                }
            let text = "“\(service.instance.name)” is announced without \(gap)."
            let advice = """
                Restart it. If the problem persists, check that multicast DNS passes in both directions between it and \
                this host (router, access point, firewall).
                """
            return .note(.incompletelyAdvertised, text, advice: advice)
        }
    }

    private var ofSharedPort: [DiscoveryFinding] {
        guard !report.portUsers.isEmpty, refusal?.code != .portRefused else { return [] }
        let text = "UDP port 5353 is also open in \(portHolders)."
        return [.note(.portShared, text, advice: "None, as long as all programs share it.")]
    }
}
