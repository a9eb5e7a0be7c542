/// The metrics of a hub, with the names that its ``HubConfiguration/metrics`` factory receives.
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
    case appendDuration = "hearth_append_duration_seconds"
    case appendFailures = "hearth_append_failures_total"
    case clients = "hearth_clients"
    case questions = "hearth_questions_open"
    case messages = "hearth_mdns_messages_total"

    /// A description of the metric.
    package var help: String {
        switch self {
        case .reachable: "Accessories in homes that can be reached."
        case .unreachable: "Accessories in homes that can't be reached, by cause."
        case .server: "Whether a paired accessory server can be reached, by device ID."
        case .connectionAttempts: "Attempts to connect to accessory servers."
        case .connectionFailures: "Failed attempts to connect to accessory servers, by cause."
        case .connectionLosses: "Lost connections to accessory servers, by cause."
        case .verifications: "Sessions established by pair verify."
        case .verificationFailures: "Failed pair verify attempts, by cause."
        case .wireRequests: "Requests that accessory servers responded to, by path and status class."
        case .wireDuration: "Time from a request to an accessory server to its response."
        case .events: "Event messages from accessory servers."
        case .requests: "Client requests, by method and result."
        case .requestDuration: "Time from a client's request to its reply."
        case .appendDuration: "Duration of a transaction that stores log entries."
        case .appendFailures: "Failed transactions that store log entries."
        case .clients: "Connected clients."
        case .questions: "Questions that wait for an answer."
        case .messages: "Multicast DNS messages, by interface and direction."
        }
    }
}
