/// The metrics of a relay. No label names a house, a feed or a key.
package enum RelayMetric: String, CaseIterable, Sendable {
    case requests = "hearth_relay_requests_total"
    case requestDuration = "hearth_relay_request_duration_seconds"
    case entries = "hearth_relay_entries_total"
    case conflicts = "hearth_relay_append_conflicts_total"
    case commits = "hearth_relay_commits_total"
    case streams = "hearth_relay_streams"
    case pipes = "hearth_relay_pipes"
    case waits = "hearth_relay_waiting_requests"
    case connections = "hearth_relay_connections"
    case houses = "hearth_relay_houses"
    case feeds = "hearth_relay_feeds"
    case storedBytes = "hearth_relay_stored_entry_bytes"
    case swept = "hearth_relay_swept_entries_total"
    case storeFailures = "hearth_relay_store_failures_total"

    /// The description in the exposition.
    package var help: String {
        switch self {
        case .requests: "Requests, by route and status class."
        case .requestDuration: "The time to answer requests, without streams and requests that wait."
        case .entries: "Entries that were appended."
        case .conflicts: "Entries that weren't appended because the feed was elsewhere."
        case .commits: "Transactions."
        case .streams: "Open live streams."
        case .pipes: "Open pipes."
        case .waits: "Requests that wait for entries."
        case .connections: "Open connections."
        case .houses: "Houses."
        case .feeds: "Feeds."
        case .storedBytes: "The size of all stored entries."
        case .swept: "Entries that the janitor has removed."
        case .storeFailures: "Requests that failed because the store did."
        }
    }
}
