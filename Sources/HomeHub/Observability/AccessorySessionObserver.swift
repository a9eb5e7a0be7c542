import HAP
import HAPClient
import HubAPI
import Logging

/// Logs and counts the network activity of one accessory server's session.
struct AccessorySessionObserver: Sendable {
    private let metrics: HubMetrics
    private let log: Logger

    init(_ server: DeviceID, metrics: HubMetrics, log: Logger) {
        self.metrics = metrics
        var log = log
        log[metadataKey: LogKey.accessory] = "\(server)"
        self.log = log
    }

    /// Records an activity of the session.
    func record(_ activity: SessionActivity) {
        metrics.record(activity)
        switch activity {
        case .connecting:
            log.trace("Connecting to an accessory.")
        case .notConnected(let cause):
            log.debug("An accessory could not be connected to.", metadata: cause.metadata)
        case .connected(let address):
            log.trace("Connected to an accessory.", metadata: [LogKey.address: "\(address)"])
        case .verified:
            log.debug("A session with an accessory is established.")
        case .notVerified(let cause):
            log.debug("A session with an accessory was not established.", metadata: cause.metadata)
        case .answered(let exchange):
            log.trace(
                "An accessory answered.",
                metadata: [
                    LogKey.request: "\(exchange.method) \(exchange.path)", LogKey.status: "\(exchange.status.rawValue)",
                    LogKey.requestBytes: "\(exchange.requestBytes)", LogKey.responseBytes: "\(exchange.responseBytes)",
                    LogKey.milliseconds: "\(exchange.duration.milliseconds)",
                ]
            )
        case .event(let bytes):
            log.trace("An accessory sent an event.", metadata: [LogKey.responseBytes: "\(bytes)"])
        case .lost(let cause):
            log.debug("The connection to an accessory was lost.", metadata: cause.metadata)
        }
    }
}

extension UnreachableCause {
    /// The cause as log metadata.
    var metadata: Logger.Metadata {
        [LogKey.cause: "\(AccessoryTrouble(self).rawValue)", LogKey.reason: "\(HubError(self).reason)"]
    }
}
