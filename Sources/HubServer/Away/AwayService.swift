import HomeHub
import HomeIdentity
package import HubAPI
package import HubNetwork
package import Logging
import RelayClient

/// Serves devices that come through the hub's relay. It keeps one stream to the relay, which rings when a device comes.
package actor AwayService {
    // This is an actor because relays are followed one after the other.

    private let hub: AwayHub
    private let acceptor: SocketAcceptor
    private let logger: Logger
    private var tasks: [Task<Void, Never>] = []
    private var following: Task<Void, Never>?

    /// Creates the service; ``start()`` begins it.
    ///
    /// - Throws: ``HubError`` if the hub's key can't be used.
    package init(_ hub: AwayHub, limits: NetworkLimits = NetworkLimits(), logger: Logger) throws(HubError) {
        self.hub = hub
        self.logger = logger
        acceptor = try SocketAcceptor(
            key: hub.key,
            door: hub.door,
            limits: limits,
            logger: logger,
            peer: hub.peer
        )
    }

    /// Follows the hub's relay from now on.
    package func start() {
        guard tasks.isEmpty else { return }
        tasks = [
            Task { [hub, weak self] in
                for await place in hub.places { await self?.follow(place) }
            },
            Task { [hub, acceptor] in
                for await key in hub.removals { acceptor.close(connectionsOf: key, because: .removedDevice) }
            },
        ]
    }

    /// The number of connections whose key is known.
    package var connectionCount: Int { acceptor.connectionCount }

    /// Leaves the relay and ends the connections.
    package func stop() async {
        for task in tasks { task.cancel() }
        await acceptor.stop()
        following?.cancel()
    }

    private func follow(_ place: RelayPlace?) {
        following?.cancel()
        following = nil
        guard let place else { return }
        let client: RelayClient
        do {
            client = try RelayClient(place.relay, as: place.owner(of: hub.key), trust: hub.trust)
        } catch {
            return logger.error("The relay can't be used.", metadata: ["error": "\(error)"])
        }
        let accepts = hub.accepts
        let pipes = RelayPipes { [acceptor] socket, feed in
            acceptor.accept(socket, from: "feed \(feed)") { accepts(feed, $0) }
        }
        following = Task { [logger] in
            // The stream ends if the relay doesn't know the house, which is about to be registered or was lost.
            while !Task.isCancelled {
                for await event in client.live(place.house, pipes: pipes) {
                    switch event {
                    case .connected: logger.info("Devices can connect through the relay.")
                    case .disconnected(let error):
                        logger.info("Devices can't connect through the relay.", metadata: ["reason": "\(error)"])
                    case .wake: break
                    }
                }
                try? await Task.sleep(for: Self.retryInterval)
            }
        }
    }

    /// How long after a refusal the relay is asked again.
    private static let retryInterval = Duration.seconds(5)
}
