import Dispatch
import ExternalAccessory
import Foundation
import HomeHub
@testable import HomeKit
import PeerProcess
import Synchronization

/// An app with a browser. It records the delegate's calls.
final class BrowserRecorder: NSObject, EAWiFiUnconfiguredAccessoryBrowserDelegate, Sendable {
    /// The queue of the delegate's calls.
    let queue = DispatchQueue(label: "browser", attributes: .concurrent)
    private let notes = Mutex<[String]>([])
    private let made = Mutex<EAWiFiUnconfiguredAccessoryBrowser?>(nil)

    init(on hub: HomeHub, purpose: String = "Tests.") {
        super.init()
        let environment = HomeKitEnvironment(
            app: "test.app",
            purpose: purpose,
            queue: DispatchQueue(label: "test.app"),
            log: { _ in },
            transport: {
                let owner = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
                return InProcessTransport(to: hub, as: owner)
            }
        )
        let browser = EAWiFiUnconfiguredAccessoryBrowser(delegate: self, queue: queue, environment: environment)
        made.withLock { $0 = browser }
    }

    var browser: EAWiFiUnconfiguredAccessoryBrowser {
        guard let browser = made.withLock({ $0 }) else { preconditionFailure("the browser is created in init") }
        return browser
    }

    var calls: [String] { notes.withLock { $0 } }

    func until(_ note: String) async throws {
        try await Wait.until("\(note), after \(calls)") { calls.contains(note) }
    }

    private func add(_ note: String) {
        dispatchPrecondition(condition: .onQueue(queue))
        notes.withLock { $0.append(note) }
    }

    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didUpdate state: EAWiFiUnconfiguredAccessoryBrowserState
    ) {
        add("\(state)")
    }

    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didFindUnconfiguredAccessories accessories: Set<EAWiFiUnconfiguredAccessory>
    ) {
        for accessory in accessories { add("found \(accessory.name)") }
    }

    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didRemoveUnconfiguredAccessories accessories: Set<EAWiFiUnconfiguredAccessory>
    ) {
        for accessory in accessories { add("removed \(accessory.name)") }
    }

    func accessoryBrowser(
        _ browser: EAWiFiUnconfiguredAccessoryBrowser,
        didFinishConfiguringAccessory accessory: EAWiFiUnconfiguredAccessory,
        with status: EAWiFiUnconfiguredAccessoryConfigurationStatus
    ) {
        add("\(accessory.name) \(status)")
    }
}
