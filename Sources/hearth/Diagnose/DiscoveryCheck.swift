import DNSSD
import HAPCatalog

/// Checks discovery on this host: listens for a while, queries for accessories, and creates a report.
struct DiscoveryCheck {
    private static let port: UInt16 = 5353

    let selectors: [InterfaceSelector]
    let listening: Duration

    /// Runs the check.
    func report() async -> DiscoveryReport {
        // Read the port's users before this process opens sockets on the port.
        let portUsers = PortTable.users(of: Self.port)
        let existing = NetworkInterface.all()
        do throws(DNSSDError) {
            let discovery = try await MulticastDNS(interfaces: selectors)
            async let listed = discovery.unresolvedServices(of: .hap, within: listening)
            let services = await accessories(foundBy: discovery)
            let unresolved = await listed
            let statistics = await discovery.statistics
            await discovery.shutdown()
            return report(existing, portUsers, statistics, services, unresolved)
        } catch {
            return report(existing, portUsers, [], [], [], refusal: error)
        }
    }

    /// Returns the accessories that exist at the end of the listening time.
    private func accessories(foundBy discovery: MulticastDNS) async -> [Service] {
        await withTaskGroup(of: Void.self) { tasks in
            var services: [ServiceInstance: Service] = [:]
            let browser = discovery.browse(.hap)
            let (events, continuation) = AsyncStream.makeStream(of: BrowseEvent.self)
            tasks.addTask {
                for await event in browser { continuation.yield(event) }
            }
            tasks.addTask { [listening] in
                try? await Task.sleep(for: listening)
                continuation.finish()
            }
            for await event in events {
                switch event {
                case .found(let service), .changed(let service): services[service.instance] = service
                case .gone(let instance): services[instance] = nil
                }
            }
            tasks.cancelAll()
            return services.values.sorted { $0.instance.name < $1.instance.name }
        }
    }

    private func report(
        _ existing: [NetworkInterface],
        _ portUsers: [DiscoveryReport.PortUser],
        _ statistics: [InterfaceStatistics],
        _ services: [Service],
        _ unresolved: [UnresolvedService],
        refusal: DNSSDError? = nil
    ) -> DiscoveryReport {
        let pointToPoint = HostEnvironment.pointToPointInterfaces
        var report = DiscoveryReport(
            interfaces: existing.map { interface in
                DiscoveryReport.Interface(
                    name: interface.name,
                    addresses: interface.subnets.map(\.description),
                    isUp: interface.isUp,
                    isRunning: interface.isRunning,
                    supportsMulticast: interface.supportsMulticast,
                    isLoopback: interface.isLoopback,
                    isPointToPoint: pointToPoint.contains(interface.name),
                    driver: HostEnvironment.driver(of: interface.name),
                    belongsToContainers: HostEnvironment.belongsToContainers(interface.name),
                    traffic: statistics.first { $0.interface.index == interface.index }.map { .init($0) }
                )
            },
            portUsers: portUsers,
            accessories: services.flatMap { DiscoveryReport.Accessory.all($0) },
            isContainer: HostEnvironment.isContainer
        )
        let networks = Dictionary(existing.map { ($0.name, $0.subnets) }) { first, _ in first }
        report.findings =
            DiscoveryRules(
                report: report,
                services: services,
                unresolved: unresolved,
                networks: networks,
                refusal: refusal
            )
            .findings
        return report
    }
}

extension DiscoveryReport.Traffic {
    fileprivate init(_ statistics: InterfaceStatistics) {
        self.init(
            usesIPv4: statistics.usesIPv4,
            usesIPv6: statistics.usesIPv6,
            sent: statistics.sent.total,
            unsent: statistics.unsentPackets,
            ownHeard: statistics.ownPacketsReceived,
            heard: statistics.received.total,
            sources: statistics.sources.map(\.address.description).sorted(),
            refusal: statistics.refusal?.code.rawValue
        )
    }
}

extension DiscoveryReport.Accessory {
    /// Returns an accessory's entries, one per interface on which it was seen.
    fileprivate static func all(_ service: Service) -> [DiscoveryReport.Accessory] {
        let flags = service.txt[TXTKey.statusFlags.rawValue].flatMap(Int.init).map { StatusFlags(rawValue: $0) } ?? []
        return Dictionary(grouping: service.addresses, by: \.interfaceName).sorted { $0.key < $1.key }.map {
            name,
            addresses in
            DiscoveryReport.Accessory(
                name: service.instance.name,
                interface: name,
                id: service.txt[TXTKey.deviceID.rawValue],
                isPaired: !flags.contains(.notPaired),
                port: service.port,
                addresses: addresses.map(\.description)
            )
        }
    }
}
