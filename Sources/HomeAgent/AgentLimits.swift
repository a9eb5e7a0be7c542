/// The limits and times of an agent. `Documentation/Limits.md` lists them.
enum AgentLimits {
    /// The maximum number of hubs that a device joins.
    static let hubs = 16
    /// The maximum number of changes that wait to be written to a copy. With more, the whole copy is written instead.
    static let waitingChanges = 1_000
    /// The longest time for which a changed value isn't in the copy's file.
    static let valueDelay = Duration.seconds(30)
    /// The time that a hub has to answer a new connection before the home is shown from the copy.
    static let greetingTimeout = Duration.seconds(3)
    /// The time that an attempt to reach a hub at one address has.
    static let attemptTime = Duration.seconds(5)
    /// The time that a hub on this network has to show that it is still there, because somebody's connection to it has ended.
    static let nearAnswerTime = Duration.seconds(2)
    /// The time without a message from a hub on this network, after something was sent to it, after which the agent checks that
    /// it is still there. It does so again after twice as long each time, up to the heartbeat.
    static let doubtTime = Duration.seconds(1)
    /// How long the other hub of the homes is tried after the loss of one, before the homes count as out of reach.
    static let changeTime = Duration.seconds(10)
    /// How long a hub is looked for on this network before it is looked for through its relay.
    static let nearHeadStart = Duration.milliseconds(300)
    /// How long each address of a link is tried before the next one, or the door at a relay, is.
    static let nearJoinTime = Duration.milliseconds(1_500)
    /// The pause between two tries at a door that the relay doesn't know, and the number of tries: the hub may be connecting to
    /// its relay just then.
    static let doorTries = (pause: Duration.milliseconds(500), count: 10)
    /// The pause between two looks for a hub on this network while its relay leads to it.
    static let nearCheck = Duration.seconds(10)
    /// How long the stream to a relay is kept once the hub is on this network.
    static let awayLinger = Duration.seconds(60)
    /// The number of requests from away whose times are remembered, for the case that they are sent again.
    static let timedRequests = 4_096
    /// The time that the answer to a command from away has, before people are told that it isn't known whether it was done.
    /// The hub doesn't begin it after ``HubProtocol/longestValidity``.
    static let answerTime = Duration.seconds(12)
    /// The number of commands of which it isn't known whether they were done that are remembered. The oldest are forgotten first.
    static let lostCommands = 256
    /// The maximum number of bytes of the parameters of such a command that is stored. A larger one is forgotten when the agent
    /// ends.
    static let lostCommandBytes = 64 << 10
    /// The shortest pause between two attempts to reach a hub because somebody wants it.
    static let wantedPause = Duration.seconds(1)
    /// The maximum number of announcements of hubs on the network that are looked at.
    static let announcements = 64
    /// The pause between two checks that a quiet hub is still there.
    static let heartbeat = Duration.seconds(15)
    /// The time that a hub has to answer such a check.
    static let heartbeatTimeout = Duration.seconds(10)
    /// The number of ended sessions whose upstream connections are remembered, so that a client's retries are recognized.
    static let rememberedSessions = 1_024
    /// The maximum number of decisions about apps that a device stores.
    static let apps = 512
    /// The maximum number of notices that wait until a person reads them. The oldest are dropped first.
    static let notices = 16
    /// The shortest and the longest pause between two attempts to reach a hub.
    static let retry = (shortest: Duration.milliseconds(200), longest: Duration.seconds(30))
    /// The pause between two attempts at a hub where somebody is comparing the digits just now, and the number of such
    /// attempts. After these, the pauses are as for any hub.
    static let pending = (pause: Duration.seconds(1), attempts: 600)
    /// The number of the last addresses at which a hub was reached that are kept.
    static let addresses = 8
    /// The maximum number of open questions about apps.
    static let openQuestions = 64
    /// The maximum number of connections of an app that wait for a decision.
    static let waitingConnections = 64
    /// The maximum number of sockets of apps.
    static let appSockets = 100
    /// The number of introductions of hubs to the person's other devices that are remembered. The oldest are forgotten first,
    /// and made again.
    static let introductions = 1_024
    /// The longest pause before a relay that asks for one is asked again, in seconds.
    static let relayRetrySeconds = 300
    /// The maximum number of heartbeats between two questions to a hub in reach where its feed is: an hour's.
    static let placeHeartbeats = 256
    /// The time after which a relay is asked for the hub's beat.
    static let feedStatusTime = Duration.seconds(3_600)
    /// The pause after the relay has told of news and had none.
    static let feedPause = Duration.seconds(1)
    /// The maximum number of requests of one catching up with a feed: more than a feed at a relay has pages.
    static let feedRequests = 256
    /// The number of streams in a row that end before they tell anything, after which requests that wait are used.
    static let brokenStreams = 3
    /// The number of requests that wait, after which a stream is tried again.
    static let feedPolls = 60
    /// The number of lines at which the file of remembered sessions is written anew.
    static let rememberedLines = 8_192
}
