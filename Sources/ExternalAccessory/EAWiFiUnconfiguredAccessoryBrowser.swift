public import Dispatch
public import Foundation
package import HomeKit
import HubAPI

/// A browser for accessories that aren't on a network yet, which also hands them the home's network.
///
/// The hub searches on the interfaces of its option `--setup-interface`. Without that option, the state becomes
/// ``EAWiFiUnconfiguredAccessoryBrowserState/wiFiUnavailable``. An accessory that was configured can be added to a home
/// like any other, for example after `HMAccessoryBrowser` has found it.
///
/// All methods can be called on any thread. Properties can be read from any thread.
/// - Since: iOS 8.0
open class EAWiFiUnconfiguredAccessoryBrowser: NSObject, @unchecked Sendable {
    // @unchecked because the class is open, and because `search` and `delegateLoad` are guarded by `lock`. A Mutex can't
    // hold them, because delegates and predicates aren't Sendable.

    private let lock = NSLock()
    private var search = AccessorySearch()
    private var delegateLoad: () -> (any EAWiFiUnconfiguredAccessoryBrowserDelegate)?
    private let queue: DispatchQueue
    private var observer: HubObserver?

    /// Creates a browser. It doesn't search until it is started.
    ///
    /// - Parameters:
    ///   - delegate: The delegate, held weakly.
    ///   - queue: The queue of the delegate's calls; `nil` for the main queue. The calls are serial and in order, even if
    ///     the queue is concurrent.
    /// - Since: iOS 8.0
    public init(delegate: (any EAWiFiUnconfiguredAccessoryBrowserDelegate)?, queue: DispatchQueue?) {
        delegateLoad = { [weak delegate] in delegate }
        self.queue = Self.queue(over: queue)
        super.init()
        connect(in: nil)
    }

    /// Creates a browser in an environment.
    package init(
        delegate: (any EAWiFiUnconfiguredAccessoryBrowserDelegate)?,
        queue: DispatchQueue?,
        environment: HomeKitEnvironment
    ) {
        delegateLoad = { [weak delegate] in delegate }
        self.queue = Self.queue(over: queue)
        super.init()
        connect(in: environment)
    }

    private static func queue(over queue: DispatchQueue?) -> DispatchQueue {
        DispatchQueue(label: "ExternalAccessory.browser", target: queue ?? .main)
    }

    private func connect(in environment: HomeKitEnvironment?) {
        observer = HubObserver(environment: environment) { [weak self] in
            self?.isSearching ?? false
        } receive: { [weak self] in
            self?.receive($0)
        }
    }

    deinit {
        if search.isSearching { requestStop {} }
    }

    /// The delegate, held weakly.
    /// - Since: iOS 8.0
    open var delegate: (any EAWiFiUnconfiguredAccessoryBrowserDelegate)? {
        get { lock.withLock { delegateLoad() } }
        set { lock.withLock { delegateLoad = { [weak newValue] in newValue } } }
    }

    /// The accessories that the search has found and that match its predicate or, between searches, those of the last
    /// one.
    /// - Since: iOS 8.0
    open var unconfiguredAccessories: Set<EAWiFiUnconfiguredAccessory> {
        lock.withLock { Set(search.accessories.values) }
    }

    /// Starts a new search and discards the results of the previous one. Does nothing while a search or a configuration is
    /// in progress.
    ///
    /// - Parameter predicate: A predicate that accessories must fulfill; `nil` for all. On Linux, Foundation has only
    ///   predicates with closures.
    /// - Since: iOS 8.0
    open func startSearchingForUnconfiguredAccessories(matching predicate: NSPredicate?) {
        let canStart = lock.withLock { search.start(matching: predicate) && search.isConnected }
        if canStart { requestSearch() }
    }

    /// Stops the search. Its results remain available.
    /// - Since: iOS 8.0
    open func stopSearchingForUnconfiguredAccessories() {
        guard lock.withLock({ search.stop() }) else { return }
        requestStop { [weak self] in self?.perform { $0.stopped() } }
    }

    /// Hands the home's network to an accessory. This ends the search.
    ///
    /// The hub asks the user for the network's name and passphrase where Apple's system shows its own sheet; see
    /// `hearth questions`. The delegate receives the result. Does nothing while a configuration is in progress.
    ///
    /// - Parameters:
    ///   - accessory: The accessory.
    ///   - viewController: Ignored: there is no UIKit on Linux. Pass any object.
    /// - Since: iOS 8.0
    open func configureAccessory(
        _ accessory: EAWiFiUnconfiguredAccessory,
        withConfigurationUIOn viewController: AnyObject
    ) {
        let (calls, wasSearching) = lock.withLock {
            let wasSearching = search.isSearching
            return (search.configure(accessory), wasSearching)
        }
        guard let calls else { return }
        deliver(calls)
        if wasSearching { requestStop {} }
        // The browser lives until the result.
        observer?.call(HubMethods.configureAccessory, ConfigureAccessory(id: accessory.id)) { [self] result in
            perform { $0.configured(result.error) }
        }
    }

    // MARK: The hub

    private func requestSearch() {
        observer?.call(HubMethods.startBrowsingUnconfigured, Empty()) { [weak self] result in
            self?.perform { $0.started(result.error) }
        }
    }

    private var isSearching: Bool { lock.withLock { search.isSearching } }

    /// Stops the hub's search, unless another browser of the app searches: the hub treats the app as one client.
    private func requestStop(_ completion: @escaping @Sendable () -> Void) {
        guard let observer else { return }
        guard !observer.isNeededElsewhere else { return observer.enqueue(completion) }
        observer.call(HubMethods.stopBrowsingUnconfigured, Empty()) { _ in completion() }
    }

    private func receive(_ signal: HubObserver.Signal) {
        switch signal {
        case .connected:
            let isSearching = lock.withLock {
                search.connected()
                return search.isSearching
            }
            if isSearching { requestSearch() }
        case .disconnected: perform { $0.disconnected() }
        case .denied: perform { $0.denied() }
        case .event(let event): perform { $0.handle(event) }
        }
    }

    /// Handles an event, and calls the delegate.
    private func perform(_ body: (inout AccessorySearch) -> [AccessorySearch.Call]) {
        deliver(lock.withLock { body(&search) })
    }

    private func deliver(_ calls: [AccessorySearch.Call]) {
        for call in calls {
            queue.async { [self] in
                guard let delegate else { return }
                switch call {
                case .state(let state): delegate.accessoryBrowser(self, didUpdate: state)
                case .found(let accessory):
                    delegate.accessoryBrowser(self, didFindUnconfiguredAccessories: [accessory])
                case .removed(let accessory):
                    delegate.accessoryBrowser(self, didRemoveUnconfiguredAccessories: [accessory])
                case .finished(let accessory, let status):
                    delegate.accessoryBrowser(self, didFinishConfiguringAccessory: accessory, with: status)
                }
            }
        }
    }
}

extension Result where Failure == HubError {
    fileprivate var error: HubError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
