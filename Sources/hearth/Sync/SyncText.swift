import HubAPI

/// How the hub's feeds stand, in words.
enum SyncText {
    /// What a relay is good for if nobody has a device.
    static let noFeeds = "Nobody has a device that reads a feed yet. To add one: hearth device add"

    /// Returns the lines for people.
    static func lines(_ status: SyncStatus, at time: HubTime) -> [String] {
        guard let relay = status.relay else {
            return ["The hub uses no relay. To use one: hearth sync on URL"] + ending(status)
        }
        let feeds = status.feeds.isEmpty ? [noFeeds] : status.feeds.map { line($0, at: time) }
        return ["Feeds are kept at \(relay)."] + feeds + vault(status, at: time) + ending(status)
    }

    private static func vault(_ status: SyncStatus, at time: HubTime) -> [String] {
        guard let vault = status.vault else { return [] }
        let made = vault.made.map { "The vault has a backup of \(time.text($0))." } ?? "The vault has no backup yet."
        return [made] + (vault.problem.map { ["The last backup could not be put there: \($0)"] } ?? [])
    }

    private static func line(_ feed: SyncStatus.Feed, at time: HubTime) -> String {
        let devices = feed.devices == 1 ? "1 device" : "\(feed.devices) devices"
        let since = time.text(feed.since)
        let text =
            switch feed.state {
            case .current: "up to date at entry \(feed.entries) since \(since)"
            case .waiting: "waits since \(since): \(feed.reason ?? "the relay can't be reached")"
            case .stopped: "stopped since \(since): \(feed.reason ?? "see the hub's log")"
            default: "is being written"
            }
        return "\(feed.person) (\(devices)): \(text)"
    }

    private static func ending(_ status: SyncStatus) -> [String] {
        switch status.ending {
        case 0: []
        case 1: ["1 former feed is still at its relay, for devices that are away. It ends later."]
        default:
            ["\(status.ending) former feeds are still at their relays, for devices that are away. They end later."]
        }
    }
}
