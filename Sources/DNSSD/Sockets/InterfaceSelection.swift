/// Selects the interfaces, and the addresses used on each.
enum InterfaceSelection {
    /// Returns the selected interfaces.
    ///
    /// - Returns: The interfaces without duplicates, with the addresses to use. Loopback interfaces are used with IPv4
    ///   only, because Linux doesn't support IPv6 multicast on them.
    /// - Throws: ``DNSSDError`` with the code `unknownInterface` or `noUsableInterface`.
    static func choose(
        _ selectors: [InterfaceSelector],
        from existing: [NetworkInterface]
    ) throws(DNSSDError) -> [NetworkInterface] {
        guard !selectors.isEmpty else {
            let usable = usable(of: existing)
            guard !usable.isEmpty else {
                throw DNSSDError(
                    .noUsableInterface,
                    reason: "no interface is up, supports multicast and has an address (\(list(existing)));"
                        + " select one, such as lo"
                )
            }
            return usable
        }
        var chosen: [NetworkInterface] = []
        for selector in selectors {
            let found = try find(selector, in: existing)
            guard found.isUp, let usable = found.usable else {
                throw DNSSDError(
                    .noUsableInterface,
                    reason: "the interface \(selector) \(found.isUp ? "has no usable address" : "is down")"
                )
            }
            chosen.append(usable)
        }
        return merge(chosen)
    }

    /// Returns the selected interfaces that currently exist.
    static func present(_ selectors: [InterfaceSelector], from existing: [NetworkInterface]) -> [NetworkInterface] {
        guard !selectors.isEmpty else { return usable(of: existing) }
        return merge(
            selectors.compactMap { selector in
                guard let found = try? find(selector, in: existing), found.isUp else { return nil }
                return found.usable
            }
        )
    }

    private static func usable(of existing: [NetworkInterface]) -> [NetworkInterface] {
        existing.filter { $0.isUp && $0.supportsMulticast && !$0.isLoopback && !$0.isPointToPoint }.compactMap(\.usable)
    }

    /// Combines the selected addresses of each interface.
    private static func merge(_ selected: [NetworkInterface]) -> [NetworkInterface] {
        var merged: [NetworkInterface] = []
        for interface in selected {
            if let index = merged.firstIndex(where: { $0.index == interface.index }) {
                let subnets = Set(merged[index].subnets + interface.subnets)
                merged[index] = merged[index].with(subnets: subnets.sorted { $0.address < $1.address })
            } else {
                merged.append(interface)
            }
        }
        return merged
    }

    private static func find(
        _ selector: InterfaceSelector,
        in existing: [NetworkInterface]
    ) throws(DNSSDError) -> NetworkInterface {
        switch selector.choice {
        case .name(let name):
            if let found = existing.first(where: { $0.name == name }) { return found }
        case .address(let address):
            if let found = existing.first(where: { $0.addresses.contains(address) }) {
                return found.with(subnets: found.subnets.filter { $0.address == address })
            }
        }
        throw DNSSDError(
            .unknownInterface,
            reason: "there is no interface \(selector); the interfaces are \(list(existing))"
        )
    }

    private static func list(_ interfaces: [NetworkInterface]) -> String {
        interfaces.map { interface in
            let addresses = interface.addresses.map(\.description).joined(separator: ", ")
            return addresses.isEmpty ? interface.name : "\(interface.name) (\(addresses))"
        }
        .joined(separator: ", ")
    }
}

extension NetworkInterface {
    /// The interface with the addresses that multicast DNS can use; `nil` if there are none.
    fileprivate var usable: NetworkInterface? {
        let usable = subnets.filter { $0.address.isUnicast && ($0.address.isIPv4 || !isLoopback) }
        return usable.isEmpty ? nil : with(subnets: usable)
    }

    fileprivate func with(subnets: [Subnet]) -> NetworkInterface {
        NetworkInterface(
            name: name,
            index: index,
            subnets: subnets,
            isUp: isUp,
            isRunning: isRunning,
            supportsMulticast: supportsMulticast,
            isPointToPoint: isPointToPoint,
            isLoopback: isLoopback
        )
    }
}
