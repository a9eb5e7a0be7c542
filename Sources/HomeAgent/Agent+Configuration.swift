package import Foundation
package import HomeIdentity
package import HubAPI
package import Logging

extension Agent {
    /// How an agent reaches hubs.
    package struct Network: Sendable {
        /// Returns a new transport to a hub. Its connection proves that it is the hub.
        ///
        /// The second argument is whether it is for the agent's own session, which finds the way for all others.
        package var transport: @Sendable (StoredHub, _ isOwn: Bool) -> any HubTransport
        /// Finds a hub, proves the invitation's secret to it, and returns what is to be stored.
        ///
        /// The second argument stores what is known before the hub may let the device in.
        package typealias Join =
            @Sendable (JoinHub, @escaping @Sendable (StoredHub) throws(HubError) -> Void) async throws(HubError) -> (
                hub: StoredHub, digits: String?
            )

        /// Joins a hub.
        package var join: Join
        /// Releases what was opened for a hub that the device has left.
        package var forget: @Sendable (UUID) -> Void
        /// Returns the way of the agent's own session to a hub.
        package var way: @Sendable (UUID) -> Way
        /// Sets where a hub is reached from away; `nil` for nowhere.
        package var setAway: @Sendable (UUID, AwayPlace?) -> Void
        /// Takes a signed list, and returns which hubs the device believes from then on and which it no longer does.
        package typealias Take = @Sendable (_ list: [UInt8], UUID) throws(HubListError) -> PinnedHubs.Change

        /// Takes the signed list of the hubs that keep a joined hub's homes.
        package var take: Take
        /// Takes signed lists, as ``Take`` takes one.
        package typealias TakeLists = @Sendable (HubListChain, UUID) throws(HubListError) -> PinnedHubs.Change

        /// Takes the signed lists of hubs that lead from the one that the device has of a joined hub to the present one.
        package var takeLists: TakeLists

        /// Returns whether two hubs keep a joined hub's homes.
        package var isOneOfTwo: @Sendable (UUID) -> Bool

        /// Creates a network.
        package init(
            transport: @escaping @Sendable (StoredHub, _ isOwn: Bool) -> any HubTransport,
            join: @escaping Join,
            forget: @escaping @Sendable (UUID) -> Void = { _ in },
            way: @escaping @Sendable (UUID) -> Way = { _ in .near },
            setAway: @escaping @Sendable (UUID, AwayPlace?) -> Void = { _, _ in },
            take: @escaping Take = { _, _ in PinnedHubs.Change() },
            takeLists: @escaping TakeLists = { _, _ in PinnedHubs.Change() },
            isOneOfTwo: @escaping @Sendable (UUID) -> Bool = { _ in false }
        ) {
            self.transport = transport
            self.join = join
            self.forget = forget
            self.way = way
            self.setAway = setAway
            self.take = take
            self.takeLists = takeLists
            self.isOneOfTwo = isOneOfTwo
        }
    }

    /// The configuration of an agent.
    package struct Configuration: Sendable {
        /// The data folder.
        package var folder: AgentFolder
        /// How hubs are reached.
        package var network: Network
        /// The version of Hearth, which hubs are told.
        package var version: String
        /// The pauses between attempts to reach a hub.
        package var retry: WakeableRetryPolicy
        /// The time that a hub has to answer a new connection.
        package var greetingTimeout: Duration
        /// The time that the answer to a command from away has, before people are told that its outcome isn't known.
        package var answerTime: Duration
        /// The pause between two checks that a quiet hub is still there.
        package var heartbeat: Duration
        /// Whether to ask the person about each new app; otherwise new apps are allowed.
        package var asksAboutApps: Bool
        /// The time that a question waits for an answer.
        package var questionTimeout: Duration
        /// The system's time.
        package var now: @Sendable () -> Date
        /// The agent's logger.
        package var log: Logger

        /// Creates a configuration.
        package init(
            folder: AgentFolder,
            network: Network,
            version: String = "",
            retry: WakeableRetryPolicy = .standard,
            greetingTimeout: Duration? = nil,
            answerTime: Duration? = nil,
            heartbeat: Duration? = nil,
            asksAboutApps: Bool = false,
            questionTimeout: Duration = .seconds(120),
            now: @escaping @Sendable () -> Date = { Date() },
            log: Logger = Logger(label: "hearth.agent")
        ) {
            self.folder = folder
            self.network = network
            self.version = version
            self.retry = retry
            self.greetingTimeout = greetingTimeout ?? AgentLimits.greetingTimeout
            self.answerTime = answerTime ?? AgentLimits.answerTime
            self.heartbeat = heartbeat ?? AgentLimits.heartbeat
            self.asksAboutApps = asksAboutApps
            self.questionTimeout = questionTimeout
            self.now = now
            self.log = log
        }
    }
}
