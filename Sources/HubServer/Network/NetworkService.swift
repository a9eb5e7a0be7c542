import DNSSD
import Foundation
import HomeIdentity
import HubAPI
package import HubNetwork
package import Logging
import NIOCore
import NIOPosix
import WebServer

/// Opens the hub's port on the network while the hub has somebody to serve there, and advertises it.
package actor NetworkService {
    // This is an actor because the port is opened and closed one after the other.

    private let hub: NetworkedHub
    private let option: NetworkOption
    private let scope: NetworkScope
    private let limits: NetworkLimits
    private let logger: Logger
    private var listener: LinkListener?
    private var announcement: (any ServiceAnnouncement)?
    private var advertising: Task<Void, Never>?
    private var following: [Task<Void, Never>] = []
    private var isOver = false

    /// How long after a failure the port is tried again.
    private static let retryInterval = Duration.seconds(10)

    /// Creates the service; ``start()`` begins it.
    package init(
        _ hub: NetworkedHub,
        at option: NetworkOption,
        for scope: NetworkScope,
        limits: NetworkLimits = NetworkLimits(),
        logger: Logger
    ) {
        self.hub = hub
        self.option = option
        self.scope = scope
        self.limits = limits
        self.logger = logger
    }

    /// The port at which the hub listens; `nil` while it doesn't.
    package var port: Int? { listener?.port }

    /// Follows what the hub needs. The port is open a moment later if it needs one.
    package func start() {
        guard option != .off, following.isEmpty else { return }
        following = [
            Task { [hub, weak self] in
                for await isNeeded in hub.needs { await self?.update(isNeeded) }
            },
            Task { [hub, weak self] in
                for await key in hub.removals { await self?.close(connectionsOf: key) }
            },
        ]
    }

    /// Closes the port and ends the connections.
    package func stop() async {
        isOver = true
        for task in following { task.cancel() }
        await close()
    }

    private func update(_ isNeeded: Bool) async {
        if !isNeeded { return await close() }
        while listener == nil, !isOver, !Task.isCancelled {
            do {
                try await open()
            } catch {
                logger.error("The hub can't listen on the network.", metadata: ["error": "\(error.reason)"])
                try? await Task.sleep(for: Self.retryInterval)
            }
        }
    }

    private func close(connectionsOf key: PublicKey) {
        listener?.close(connectionsOf: key, because: .removedDevice)
    }

    // MARK: The port

    private func open() async throws(HubError) {
        let listener: LinkListener
        switch option {
        case .off: return
        case .at(let address): listener = try await listen(at: address.host, address.port)
        case .automatic: listener = try await listenOnAllInterfaces()
        }
        guard !isOver else { return await listener.stop() }
        self.listener = listener
        do {
            try await hub.setPort(listener.port)
        } catch {
            logger.warning("The port could not be stored.", metadata: ["error": "\(error)"])
        }
        await hub.setAddresses(addresses(port: listener.port))
        logger.info("The hub listens on the network.", metadata: ["port": "\(listener.port)"])
        advertising = Task { await self.advertise(port: listener.port) }
    }

    /// Listens with IPv6 and IPv4, at the port of the last time unless another program has it.
    private func listenOnAllInterfaces() async throws(HubError) -> LinkListener {
        let ports = if let port = await hub.port() { [port, 0] } else { [0] }
        for port in ports {
            for host in ["::", "0.0.0.0"] {
                if let listener = try? await listen(at: host, port) { return listener }
            }
        }
        return try await listen(at: "0.0.0.0", 0)
    }

    private func listen(at host: String, _ port: Int) async throws(HubError) -> LinkListener {
        let address: SocketAddress
        do {
            address = try SocketAddress(ipAddress: host, port: port)
        } catch {
            throw HubError(.networkRefused, "\(host) is not an address. Choose another with --network.")
        }
        return try await LinkListener.start(
            at: address,
            key: hub.key,
            door: hub.door,
            scope: scope,
            limits: limits,
            logger: logger,
            peer: hub.peer,
            hub: hub.hub
        )
    }

    private func close() async {
        guard let listener else { return }
        self.listener = nil
        advertising?.cancel()
        await advertising?.value
        advertising = nil
        await announcement?.withdraw()
        announcement = nil
        await hub.setAddresses([])
        await listener.stop()
        logger.info("The hub no longer listens on the network.")
    }

    // MARK: How devices find it

    private func advertise(port: Int) async {
        guard let number = UInt16(exactly: port), let type = try? ServiceType(HubAdvertisement.serviceType) else {
            return
        }
        let advertisement = HubAdvertisement(hub: hub.key.publicKey, host: RequestOrigin.machineName, port: port)
        var txt = TXTRecord()
        for (key, value) in advertisement.text { txt[key] = value }
        do {
            let announcement = try await hub.announce(
                ServiceAdvertisement(instanceName: advertisement.name, type: type, port: number, txt: txt)
            )
            if Task.isCancelled { return await announcement.withdraw() }
            self.announcement = announcement
        } catch {
            logger.warning("The hub can't be found by devices.", metadata: ["error": "\(error)"])
        }
    }

    /// The addresses for links, the best first: those of IPv4, which people recognize and which change less often.
    private func addresses(port: Int) -> [HubAddress] {
        let hosts: [SocketAddress] =
            switch option {
            case .off: []
            case .at(let address) where !address.isWildcard:
                [try? SocketAddress(ipAddress: address.host, port: port)].compactMap(\.self)
            case .at, .automatic: ((try? System.enumerateDevices()) ?? []).compactMap(\.address)
            }
        let isEverywhere = hosts.count > 1 || option == .automatic
        let usable = hosts.filter { address in !isEverywhere || !Self.isLocalToInterface(address) }
        let ordered = usable.filter { $0.protocol == .inet } + usable.filter { $0.protocol == .inet6 }
        return ordered.compactMap { HubAddress($0, port: port) }
    }

    /// Whether an address works only on this machine, or only together with an interface.
    private static func isLocalToInterface(_ address: SocketAddress) -> Bool {
        let text = address.ipAddress ?? ""
        return text.hasPrefix("127.") || text == "::1" || text.hasPrefix("fe80") || text.contains("%")
    }
}

extension HubAddress {
    fileprivate init?(_ address: SocketAddress, port: Int) {
        guard let ip = address.ipBytes, let port = UInt16(exactly: port) else { return nil }
        self.init(ip: ip, port: port)
    }
}
