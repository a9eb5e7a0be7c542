/// The metrics of a hub, by the names under which its ``HubConfiguration/metrics`` gets them.
package enum HubMetric: String, CaseIterable, Sendable {
    case reachable = "hearth_accessories_reachable"
    case unreachable = "hearth_accessories_unreachable"
    case server = "hearth_accessory_server_up"
    case connectionAttempts = "hearth_connection_attempts_total"
    case connectionFailures = "hearth_connection_failures_total"
    case connectionLosses = "hearth_connection_losses_total"
    case verifications = "hearth_pair_verify_total"
    case verificationFailures = "hearth_pair_verify_failures_total"
    case wireRequests = "hearth_wire_requests_total"
    case wireDuration = "hearth_wire_request_duration_seconds"
    case events = "hearth_events_received_total"
    case requests = "hearth_requests_total"
    case requestDuration = "hearth_request_duration_seconds"
    case entries = "hearth_entries_appended_total"
    case appendDuration = "hearth_append_duration_seconds"
    case appendFailures = "hearth_append_failures_total"
    case clients = "hearth_clients"
    case questions = "hearth_questions_open"
    case messages = "hearth_mdns_messages_total"

    /// What it counts, for people.
    package var help: String {
        switch self {
        case .reachable: "Accessories of the homes that can be reached."
        case .unreachable: "Accessories of the homes that can't be reached, by cause."
        case .server: "Whether a paired accessory server, by its device id, can be reached."
        case .connectionAttempts: "Tries to connect to accessory servers."
        case .connectionFailures: "Tries to connect that failed, by cause."
        case .connectionLosses: "Connections to accessory servers that were lost, by cause."
        case .verifications: "Sessions that pair-verify established."
        case .verificationFailures: "Sessions that pair-verify did not establish, by cause."
        case .wireRequests: "Requests that accessory servers answered, by path and class of status."
        case .wireDuration: "From a request to an accessory server to its answer."
        case .events: "Event messages of accessory servers."
        case .requests: "Requests of clients, by method and result."
        case .requestDuration: "From a client's request to its reply."
        case .entries: "Entries that were stored."
        case .appendDuration: "How long a transaction of entries took."
        case .appendFailures: "Transactions of entries that the store refused."
        case .clients: "Clients that are connected."
        case .questions: "Questions that wait for a person."
        case .messages: "Multicast DNS messages, by interface and direction."
        }
    }
}
