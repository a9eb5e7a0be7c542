public import Foundation
import HubAPI
import Synchronization

/// A browser that searches for accessories that are in no home.
///
/// Add the accessories it finds with ``HMHome/addAccessory(_:completionHandler:)``. The delegate is called on the main
/// queue. Properties can be read from any thread.
/// - Since: iOS 8.0
open class HMAccessoryBrowser: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its own stored properties are immutable and Sendable.

    private struct Search {
        var isSearching = false
        /// Whether the hub is connected. A search that starts earlier is sent to the hub once it is.
        var isConnected = false
        /// In the order of discovery.
        var found: [HMAccessory] = []
        /// Accessories that were reported to the delegate as found and not yet as removed.
        var announced: [HMAccessory] = []
    }

    private let link: HubLink
    private let search = Mutex(Search())
    private let delegateReference = DelegateReference<any HMAccessoryBrowserDelegate>()

    /// Creates a browser. It doesn't search until it is started.
    /// - Since: iOS 8.0
    public override init() {
        link = HomeKitEnvironment.present.link()
        super.init()
        link.add(self)
    }

    /// Creates a browser in the given environment.
    package init(environment: HomeKitEnvironment) {
        link = environment.link()
        super.init()
        link.add(self)
    }

    deinit {
        if search.withLock({ $0.isSearching }) { stopSearch() }
    }

    /// The delegate that receives discoveries, held weakly.
    /// - Since: iOS 8.0
    open var delegate: (any HMAccessoryBrowserDelegate)? {
        get { delegateReference.delegate }
        set { delegateReference.set { [weak newValue] in newValue } }
    }

    /// The accessories found by this search or, between searches, by the last one.
    /// - Since: iOS 8.0
    open var discoveredAccessories: [HMAccessory] { search.withLock { $0.found } }

    /// Starts a new search and discards the results of the previous one.
    /// - Since: iOS 8.0
    open func startSearchingForNewAccessories() {
        let canStart = search.withLock { search in
            guard !search.isSearching else { return false }
            search.isSearching = true
            search.found = []
            search.announced = []
            return search.isConnected
        }
        if canStart { startSearch() }
    }

    /// Stops the search. Its results remain available.
    /// - Since: iOS 8.0
    open func stopSearchingForNewAccessories() {
        let wasSearching = search.withLock { search in
            defer { search.isSearching = false }
            return search.isSearching
        }
        if wasSearching { stopSearch() }
    }

    private func startSearch() {
        link.call(HubMethods.startBrowsing, Empty()) { _ in }
    }

    private func stopSearch() {
        // The hub treats the app as one client: while another browser of the app searches, the hub must keep reporting.
        guard !link.others(than: self, contain: { $0.isSearching }) else { return }
        link.call(HubMethods.stopBrowsing, Empty()) { _ in }
    }
}

extension HMAccessoryBrowser: HubSubscriber {
    var isSearching: Bool { search.withLock { $0.isSearching } }

    var subscriptions: CharacteristicSet { CharacteristicSet() }

    func isSubscribed(to characteristic: HubState.ValueKey) -> Bool { false }

    func callbacksForReset(before: HubStateSummary, after: HubState) -> [Callback] {
        let isSearching = search.withLock { search in
            search.isConnected = true
            return search.isSearching
        }
        return isSearching ? [{ self.startSearch() }] + callbacksForReturn(after) : []
    }

    func callbacks(for event: HubEvent, before: HubStateSummary, after: HubState) -> [Callback] {
        // The hub no longer knows that this browser is searching.
        if case .resumed = event { return callbacksForReset(before: before, after: after) }
        return search.withLock { search in
            guard search.isSearching else { return [] }
            switch event {
            case .discovered(let accessory):
                if let existing = search.found.first(where: { $0.uniqueIdentifier == accessory.id }) {
                    existing.update(accessory)
                    return []
                }
                let accessory = HMAccessory(accessory, link)
                search.found.append(accessory)
                return [foundCallback(accessory)]
            case .discoveryLost(let id):
                guard let index = search.found.firstIndex(where: { $0.uniqueIdentifier == id }) else { return [] }
                return [removedCallback(search.found.remove(at: index))]
            default:
                return []
            }
        }
    }

    func callbacks(forDenial error: HubError, before: HubStateSummary) -> [Callback] { [] }

    func callbacksForLoss() -> [Callback] {
        search.withLock { search in
            search.isConnected = false
            guard search.isSearching else { return [] }
            defer { search.found = [] }
            return search.found.map(removedCallback)
        }
    }

    func callbacksForReturn(_ hub: HubState) -> [Callback] {
        search.withLock { search in
            guard search.isSearching else { return [] }
            let gone = search.announced.filter { !search.found.contains($0) }
            let new = search.found.filter { !search.announced.contains($0) }
            return gone.map(removedCallback) + new.map(foundCallback)
        }
    }

    private func foundCallback(_ accessory: HMAccessory) -> Callback {
        {
            self.search.withLock { $0.announced.append(accessory) }
            self.delegate?.accessoryBrowser(self, didFindNewAccessory: accessory)
        }
    }

    private func removedCallback(_ accessory: HMAccessory) -> Callback {
        {
            self.search.withLock { search in search.announced.removeAll { $0 === accessory } }
            self.delegate?.accessoryBrowser(self, didRemoveNewAccessory: accessory)
        }
    }
}
