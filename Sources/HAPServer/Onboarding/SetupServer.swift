internal import DNSSD
internal import HAP
internal import NIOCore
internal import NIOPosix
package import WirelessSetup

/// A server for the configuration of an accessory that isn't on the network yet, with its advertisement.
///
/// It accepts one configuration. Create another server for the next attempt.
package actor SetupServer {
    /// The requests that a server answers.
    package enum Role: Sendable {
        /// Configurations, in the accessory's own network.
        ///
        /// - Parameters:
        ///   - information: The information that the accessory replies with.
        ///   - accept: A closure that receives the configuration, once, after the reply was sent.
        case unconfigured(SetupInformation, accept: @Sendable (SetupConfiguration) -> Void)
        /// The confirmation that the accessory was found in the network that it joined.
        ///
        /// - Parameter confirm: A closure that is called once, after the reply was sent.
        case joined(confirm: @Sendable () -> Void)
    }

    private let service: SetupService
    private var channel: (any Channel)?
    private var announcement: (any ServiceAnnouncement)?
    private var isStopped = false

    /// Creates a server.
    package init(_ role: Role) {
        service = SetupService(role)
    }

    /// Starts listening on a free port, and advertises the server. Returns once both are done.
    ///
    /// - Parameters:
    ///   - address: The IP address to listen on; `nil` for all addresses.
    ///   - name: The accessory's name.
    ///   - advertisement: The advertisement.
    ///   - advertiser: The network to advertise on.
    /// - Returns: The port.
    /// - Throws: ``AccessoryServerError`` with the code `portRefused`, `advertisingFailed` or `wrongState`.
    package func start(
        address: String?,
        name: String,
        advertisement: SetupAdvertisement,
        by advertiser: Advertiser
    ) async throws(AccessoryServerError) -> Int {
        let channel = try await listen(address, name)
        self.channel = channel
        guard !isStopped, let port = channel.localAddress?.port.flatMap({ UInt16(exactly: $0) }) else {
            await stop()
            throw AccessoryServerError(.wrongState, reason: "\(name) was stopped while it was starting")
        }
        let announcement: any ServiceAnnouncement
        do {
            announcement = try await advertiser.discovery.announce(
                ServiceAdvertisement(
                    instanceName: name,
                    type: .wirelessSetup,
                    port: port,
                    txt: TXTRecord(
                        entries: advertisement.entries.map { TXTRecord.Entry(key: $0.key, value: Array($0.value.utf8)) }
                    ),
                    addresses: address.flatMap { IPAddress($0) }.map { [$0] }
                )
            )
        } catch {
            await stop()
            throw AccessoryServerError(.advertisingFailed, reason: "\(name) can't be advertised: \(error.reason)")
        }
        guard !isStopped else {
            await announcement.withdraw()
            throw AccessoryServerError(.wrongState, reason: "\(name) was stopped while it was starting")
        }
        self.announcement = announcement
        return Int(port)
    }

    /// Withdraws the advertisement, and closes the port and all connections.
    package func stop() async {
        isStopped = true
        await announcement.take()?.withdraw()
        service.closeConnections()
        try? await channel.take()?.close()
    }

    private func listen(_ address: String?, _ name: String) async throws(AccessoryServerError) -> any Channel {
        let service = service
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: ServerLimits.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard service.add(channel) else { throw ChannelError.inputClosed }
                    try channel.pipeline.syncOperations.addHandler(SetupHandler(service))
                }
            }
        let hosts = address.map { [$0] } ?? ["::", "0.0.0.0"]
        var failure = ""
        for host in hosts {
            do {
                return try await bootstrap.bind(host: host, port: 0).get()
            } catch {
                if failure.isEmpty { failure = "\(error)" }
            }
        }
        throw AccessoryServerError(.portRefused, reason: "\(name) can't listen on \(hosts[0]): \(failure)")
    }
}
