package import DNSSD
package import Foundation
package import Logging
package import MediaRouting
package import Metrics

/// The configuration of a hub.
package struct HubConfiguration: Sendable {
    /// The data folder, which is created if it doesn't exist.
    package var data: URL
    /// The interfaces to find accessories on; empty for all interfaces that support multicast.
    package var interfaces: [InterfaceSelector]
    /// The interfaces to find accessories on that aren't on the network yet; empty for none.
    package var setupInterfaces: [InterfaceSelector]
    /// The time that an accessory has for joining the network.
    package var joinTimeout: Duration
    /// The time that a question waits for an answer.
    package var questionTimeout: Duration
    /// The number of days for which a copy of the homes is kept in the data folder; 0 for no copies.
    package var keptCopies: Int
    /// Whether to ask the user about each new app; otherwise new apps can use the homes.
    package var asksAboutApps: Bool
    /// The name of a new home's owner among its users.
    package var userName: String
    /// The kind of clock that tells the hub's time.
    package var clockKind: HubClock.Kind
    /// A closure that returns whether the system's clock is synchronized. Automations wait if it isn't and the time can't be
    /// right.
    package var isClockSynchronized: @Sendable () -> Bool
    /// The time zone of automations that don't have one of their own.
    package var timeZone: TimeZone
    /// The system's time.
    package var now: @Sendable () -> Date
    /// The clock of timeouts, such as those of questions.
    package var clock: any Clock<Duration>
    /// The executor of what is recorded of each write, which is brief; `nil` for that of all tasks. It should be that of the
    /// connections to clients and accessories, so that it is done without a change of threads.
    package var executor: (any TaskExecutor)?
    /// The file with the choice of a receiver for the apps of the hub's own user; `nil` if the hub shows no audio.
    package var route: RouteFile?
    /// The hub's logger.
    package var log: Logger
    /// The factory of the hub's metrics, which are listed in ``HubMetric``.
    package var metrics: any MetricsFactory

    /// Creates a configuration.
    package init(
        data: URL,
        interfaces: [InterfaceSelector] = [],
        setupInterfaces: [InterfaceSelector] = [],
        joinTimeout: Duration = .seconds(120),
        questionTimeout: Duration = .seconds(120),
        keptCopies: Int = 7,
        asksAboutApps: Bool = false,
        userName: String = NSUserName(),
        clockKind: HubClock.Kind = .system,
        isClockSynchronized: @escaping @Sendable () -> Bool = { SystemClockCheck.isSynchronized },
        timeZone: TimeZone = .current,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        executor: (any TaskExecutor)? = nil,
        route: RouteFile? = nil,
        log: Logger = Logger(label: "hearth.hub"),
        metrics: any MetricsFactory = MetricsSystem.factory
    ) {
        self.data = data
        self.interfaces = interfaces
        self.setupInterfaces = setupInterfaces
        self.joinTimeout = joinTimeout
        self.questionTimeout = questionTimeout
        self.keptCopies = keptCopies
        self.asksAboutApps = asksAboutApps
        self.userName = userName
        self.clockKind = clockKind
        self.isClockSynchronized = isClockSynchronized
        self.timeZone = timeZone
        self.now = now
        self.clock = clock
        self.executor = executor
        self.route = route
        self.log = log
        self.metrics = metrics
    }
}
