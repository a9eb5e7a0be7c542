import Foundation
import HubAPI

/// The state of a browser: its search, its results and its configuration. Each method returns the calls of the delegate
/// that follow from an event, in order.
struct AccessorySearch {
    /// A call of the delegate.
    enum Call: Equatable {
        case state(EAWiFiUnconfiguredAccessoryBrowserState)
        case found(EAWiFiUnconfiguredAccessory)
        case removed(EAWiFiUnconfiguredAccessory)
        case finished(EAWiFiUnconfiguredAccessory, EAWiFiUnconfiguredAccessoryConfigurationStatus)
    }

    private(set) var state = EAWiFiUnconfiguredAccessoryBrowserState.stopped
    private(set) var accessories: [UUID: EAWiFiUnconfiguredAccessory] = [:]
    private(set) var isSearching = false
    /// Whether the hub is connected. A search that starts earlier is sent to the hub once it is.
    private(set) var isConnected = false
    /// The accessories that the hub reported since the last request to search.
    private var reported: Set<UUID> = []
    private var configuring: EAWiFiUnconfiguredAccessory?
    private var predicate: NSPredicate?

    /// Starts a search. Returns `false` if one is in progress, or an accessory is being configured.
    mutating func start(matching predicate: NSPredicate?) -> Bool {
        guard !isSearching, configuring == nil else { return false }
        self.predicate = predicate
        accessories = [:]
        reported = []
        isSearching = true
        return true
    }

    /// Ends the search. Returns `false` if there is none.
    mutating func stop() -> Bool {
        defer { isSearching = false }
        return isSearching
    }

    mutating func connected() {
        isConnected = true
        reported = []
    }

    /// Handles the hub's reply to the request to search. It follows all accessories that were visible then.
    mutating func started(_ error: HubError?) -> [Call] {
        guard isSearching else { return [] }
        if error != nil {
            isSearching = false
            return removal { _ in true } + change(to: .wiFiUnavailable)
        }
        let reported = reported
        return removal { !reported.contains($0) } + change(to: .searching)
    }

    mutating func stopped() -> [Call] {
        configuring == nil ? change(to: .stopped) : []
    }

    mutating func disconnected() -> [Call] {
        isConnected = false
        return isSearching ? removal { _ in true } : []
    }

    mutating func denied() -> [Call] {
        let calls = disconnected()
        isSearching = false
        return calls + change(to: .wiFiUnavailable)
    }

    mutating func handle(_ event: HubEvent) -> [Call] {
        guard isSearching else { return [] }
        switch event {
        case .unconfigured(let listed):
            reported.insert(listed.id)
            guard accessories[listed.id] == nil else { return [] }
            let accessory = EAWiFiUnconfiguredAccessory(listed)
            guard predicate?.evaluate(with: accessory) ?? true else { return [] }
            accessories[listed.id] = accessory
            return [.found(accessory)]
        case .unconfiguredLost(let id):
            return removal { $0 == id }
        default:
            return []
        }
    }

    /// Starts the configuration of an accessory, which ends the search. Returns `nil` if one is in progress.
    mutating func configure(_ accessory: EAWiFiUnconfiguredAccessory) -> [Call]? {
        guard configuring == nil else { return nil }
        configuring = accessory
        isSearching = false
        return change(to: .configuring)
    }

    mutating func configured(_ error: HubError?) -> [Call] {
        guard let accessory = configuring.take() else { return [] }
        let status: EAWiFiUnconfiguredAccessoryConfigurationStatus =
            switch error?.code {
            case nil: .success
            case .cancelled: .userCancelledConfiguration
            default: .failed
            }
        let removed = error == nil ? removal { $0 == accessory.id } : []
        return removed + [.finished(accessory, status)] + change(to: .stopped)
    }

    private mutating func change(to state: EAWiFiUnconfiguredAccessoryBrowserState) -> [Call] {
        guard state != self.state else { return [] }
        self.state = state
        return [.state(state)]
    }

    private mutating func removal(where condition: (UUID) -> Bool) -> [Call] {
        let gone = accessories.filter { condition($0.key) }
        for id in gone.keys { accessories[id] = nil }
        return gone.values.sorted { $0.name < $1.name }.map(Call.removed)
    }
}
