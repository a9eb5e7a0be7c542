import HomeHub
import HomeIdentity
package import HubAPI
package import HubNetwork
package import Logging
import RelayAPI
import RelayClient

/// Serves devices that come through the hub's relay. It keeps one stream to the relay, which rings when a device comes.
package actor AwayService {
    // This is an actor because relays are followed one after the other.

    private let hub: AwayHub
    private let acceptor: SocketAcceptor
    /// Serves those who come through doors, whose floods so hold up nobody else.
    private let doorAcceptor: SocketAcceptor
    private let logger: Logger
    private var tasks: [Task<Void, Never>] = []
    private var following: Task<Void, Never>?
    /// The pipes of the present relay.
    private var pipes: RelayPipes?

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
        doorAcceptor = try SocketAcceptor(
            key: hub.key,
            door: hub.door,
            limits: limits,
            logger: logger,
            peer: hub.doors.peer ?? hub.peer
        )
    }

    /// Follows the hub's relay from now on.
    package func start() {
        guard tasks.isEmpty else { return }
        tasks = [
            Task { [hub, weak self] in
                for await place in hub.places { await self?.follow(place) }
            },
            Task { [hub, acceptor, doorAcceptor] in
                for await key in hub.removals {
                    for acceptor in [acceptor, doorAcceptor] {
                        acceptor.close(connectionsOf: key, because: .removedDevice)
                    }
                }
            },
            Task { [hub, weak self] in
                for await _ in hub.doors.changes { await self?.pipes?.refreshDoors() }
            },
        ]
    }

    /// The number of connections whose key is known.
    package var connectionCount: Int { acceptor.connectionCount + doorAcceptor.connectionCount }

    /// Leaves the relay and ends the connections.
    package func stop() async {
        for task in tasks { task.cancel() }
        await acceptor.stop()
        await doorAcceptor.stop()
        following?.cancel()
    }

    private func follow(_ place: RelayPlace?) {
        following?.cancel()
        following = nil
        pipes = nil
        guard let place else { return }
        let client: RelayClient
        do {
            client = try RelayClient(place.relay, as: place.owner(of: hub.key), trust: hub.trust)
        } catch {
            return logger.error("The relay can't be used.", metadata: ["error": "\(error)"])
        }
        let pipes = RelayPipes { [hub, acceptor, doorAcceptor] socket, origin in
            switch origin {
            case .feed(let feed): acceptor.accept(socket, from: "feed \(feed)") { hub.accepts(feed, $0) }
            case .door(let door): doorAcceptor.accept(socket, at: door, of: hub.doors)
            }
        } doors: { [doors = hub.doors] in
            doors.open().map { LiveDoor($0.key, seconds: $0.seconds) }
        }
        self.pipes = pipes
        following = Task { [logger] in
            // The stream ends if the relay doesn't know the house, which is about to be registered or was lost.
            while !Task.isCancelled {
                for await event in client.live(place.house, pipes: pipes, hasWakes: false) {
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

extension SocketAcceptor {
    /// Serves a connection through a door.
    fileprivate func accept(_ socket: CInt, at door: PublicKey, of doors: AwayHub.Doors) {
        accept(socket, from: "door \(door.base64)", invitation: { doors.invitation(door, $0) }) {
            doors.invitation(door, $0) != nil
        }
    }
}
