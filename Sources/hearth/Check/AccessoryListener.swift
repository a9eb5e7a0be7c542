import AccessoryCheck
import DNSSD
import HAP
import HAPCatalog
import Synchronization

/// Listens for the advertisement of one accessory. It is a class because the browsing task and the checks share it.
final class AccessoryListener: Sendable {
    private static let changeTime = Duration.seconds(5)
    private static let pause = Duration.milliseconds(50)

    private let discovery: MulticastDNS
    private struct State {
        var newest: Service?
        /// The device ID of the accessory, by which it is known if it comes back with another name or port.
        var deviceID: DeviceID?
    }

    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Starts listening. Returns `nil` if multicast DNS isn't available.
    init?(interfaces: [String], matching: @escaping @Sendable (Service) -> Bool) async {
        guard let discovery = try? await MulticastDNS(interfaces: interfaces.map { InterfaceSelector($0) }) else {
            return nil
        }
        self.discovery = discovery
        let browser = discovery.browse(.hap)
        task.withLock { task in
            task = Task { [weak self] in
                for await event in browser {
                    guard let self else { return }
                    self.handle(event, matching)
                }
            }
        }
    }

    private func handle(_ event: BrowseEvent, _ matching: @Sendable (Service) -> Bool) {
        switch event {
        case .found(let service), .changed(let service):
            let deviceID = service.txt["id"].flatMap { DeviceID($0) }
            state.withLock { state in
                let isBack = deviceID != nil && deviceID == state.deviceID
                guard isBack || matching(service) else { return }
                state.newest = service
                state.deviceID = state.deviceID ?? deviceID
            }
        case .gone(let instance):
            state.withLock { if $0.newest?.instance == instance { $0.newest = nil } }
        }
    }

    /// Stops listening.
    func stop() async {
        task.withLock { $0?.cancel() }
        await discovery.shutdown()
    }

    /// What the accessory advertises, for the checks.
    var source: AdvertisementSource {
        AdvertisementSource(
            current: { condition in
                await self.wait(for: Self.changeTime) { $0.map { condition(Self.advertisement($0)) } ?? false }
                    .map(Self.advertisement)
            },
            // Without a goodbye, the records live for minutes.
            isWithdrawn: { await self.wait(for: Self.changeTime) { $0 == nil } == nil }
        )
    }

    /// Returns where the accessory is, or `nil` if it isn't advertised in time.
    func target(within time: Duration) async -> CheckTarget? {
        let service = await wait(for: time) { $0?.addresses.isEmpty == false }
        guard let service, let address = service.addresses.first else { return nil }
        return CheckTarget(host: address.description, port: Int(service.port))
    }

    /// Returns the newest advertisement once it satisfies a condition, or when the time is over.
    private func wait(for time: Duration, _ condition: (Service?) -> Bool) async -> Service? {
        let end = ContinuousClock.now + time
        while true {
            let service = state.withLock { $0.newest }
            if condition(service) || ContinuousClock.now >= end || Task.isCancelled { return service }
            try? await Task.sleep(for: Self.pause)
        }
    }

    private static func advertisement(_ service: Service) -> AccessoryAdvertisement {
        var txt: [String: String] = [:]
        for entry in service.txt.entries { txt[entry.key.lowercased()] = service.txt[entry.key] ?? "" }
        return AccessoryAdvertisement(name: service.instance.name, port: Int(service.port), txt: txt)
    }
}
