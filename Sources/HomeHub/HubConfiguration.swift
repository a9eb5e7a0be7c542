package import DNSSD
package import Foundation
package import Logging
package import Metrics

/// What a hub needs to know to start.
package struct HubConfiguration: Sendable {
    /// The folder of the database; made if it is not there.
    package var data: URL
    /// The interfaces on which accessories are looked for; empty means all that can do multicast.
    package var interfaces: [InterfaceSelector]
    /// How long a question waits for an answer.
    package var questionTimeout: Duration
    /// For how many days a copy of the homes is kept in the data folder; 0 makes none.
    package var keptCopies: Int
    /// Whether a person is asked about each app that was neither allowed nor denied; otherwise it may use the homes.
    package var asksAboutApps: Bool
    /// The name under which the owner of a new home is listed among its users.
    package var userName: String
    /// The hub's time.
    package var now: @Sendable () -> Date
    /// What the hub's waits for people go by.
    package var clock: any Clock<Duration>
    /// Where the hub logs.
    package var log: Logger
    /// What the hub measures by; its metrics are those of ``HubMetric``.
    package var metrics: any MetricsFactory

    /// Makes a configuration.
    package init(
        data: URL,
        interfaces: [InterfaceSelector] = [],
        questionTimeout: Duration = .seconds(120),
        keptCopies: Int = 7,
        asksAboutApps: Bool = false,
        userName: String = NSUserName(),
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        log: Logger = Logger(label: "hearth.hub"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.data = data
        self.interfaces = interfaces
        self.questionTimeout = questionTimeout
        self.keptCopies = keptCopies
        self.asksAboutApps = asksAboutApps
        self.userName = userName
        self.now = now
        self.clock = clock
        self.log = log
        self.metrics = metrics
    }
}
