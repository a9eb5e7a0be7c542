import HubAPI

/// How an agent reads its hubs' feeds, in words.
enum AgentSyncText {
    /// Returns the lines for people.
    static func lines(_ hubs: [AgentHubs.Hub], at time: HubTime) -> [String] {
        guard !hubs.isEmpty else { return ["This device has joined no hub."] }
        return hubs.flatMap { lines($0, at: time) }
    }

    private static func lines(_ hub: AgentHubs.Hub, at time: HubTime) -> [String] {
        guard let feed = hub.feed else { return ["“\(hub.name)” uses no relay."] }
        let place = feed.place.map { "up to entry \($0.seq)" } ?? "nothing yet"
        var lines: [String]
        if hub.standing.state == .near {
            lines = ["“\(hub.name)” is in reach. While it is not, its homes are read from \(feed.relay)."]
        } else {
            let asOf = hub.standing.asOf.map { ", as of \(time.text($0))" } ?? ""
            lines = ["“\(hub.name)” is out of reach. Its homes are read from \(feed.relay): \(place)\(asOf)."]
        }
        if hub.standing.isSilent == true {
            lines.append("  The hub wasn't heard of for 25 hours: it is off, or the relay holds its news back.")
        }
        if let problem = feed.problem {
            let state =
                feed.isStopped ? "Nothing more is read until this device has met the hub." : "It is read again later."
            lines.append("  \(problem.code): \(problem.reason) \(state)")
        }
        if let trouble = feed.trouble { lines.append("  The relay can't be asked: \(trouble)") }
        return lines
    }
}
