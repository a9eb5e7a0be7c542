/// The choice of interfaces, and of the addresses used on each.
enum InterfaceSelection {
    /// Finds what was selected among the interfaces that exist.
    ///
    /// - Returns: Interfaces whose addresses are those to be used, each interface once. Loopback interfaces are used with
    ///   IPv4 only: Linux does not carry IPv6 multicast on them.
    /// - Throws: ``DNSSDError`` with the code `unknownInterface` or `noUsableInterface`.
    static func choose(
        _ selectors: [InterfaceSelector],
        from existing: [NetworkInterface]
    ) throws(DNSSDError) -> [NetworkInterface] {
        guard !selectors.isEmpty else {
            let usable = existing.filter { $0.isUp && $0.supportsMulticast && !$0.isLoopback }.compactMap(\.usable)
            guard !usable.isEmpty else {
                throw DNSSDError(
                    .noUsableInterface,
                    reason:
                        "no interface is up, carries multicast and has an address (\(list(existing))); name one, such as lo"
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
                    reason: "the interface \(selector) is \(found.isUp ? "without a usable address" : "down")"
                )
            }
            if let index = chosen.firstIndex(where: { $0.index == usable.index }) {
                chosen[index] = chosen[index].with(addresses: Set(chosen[index].addresses + usable.addresses).sorted())
            } else {
                chosen.append(usable)
            }
        }
        return chosen
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
                return found.with(addresses: [address])
            }
        }
        throw DNSSDError(
            .unknownInterface,
            reason: "there is no interface \(selector); there are \(list(existing))"
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
        let usable = addresses.filter { $0.isUnicast && ($0.isIPv4 || !isLoopback) }
        return usable.isEmpty ? nil : with(addresses: usable)
    }

    fileprivate func with(addresses: [IPAddress]) -> NetworkInterface {
        NetworkInterface(
            name: name,
            index: index,
            addresses: addresses,
            isUp: isUp,
            supportsMulticast: supportsMulticast,
            isLoopback: isLoopback
        )
    }
}
