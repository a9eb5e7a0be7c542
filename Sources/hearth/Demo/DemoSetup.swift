import Foundation
import HomeKit

/// Sets up the demo home through the `HomeKit` module alone, as an app written for Apple's platforms would.
@MainActor
final class DemoSetup: NSObject {
    // This is a class because delegates are classes.

    /// The timeout of the search for accessories.
    private static let searchLimit = Duration.seconds(60)

    private let manager: HMHomeManager
    private let browser: HMAccessoryBrowser
    private let progress: (String) -> Void
    private var managerIsReady: CheckedContinuation<Void, Never>?
    private var found: [UUID: HMAccessory] = [:]
    private var onFind: (() -> Void)?

    /// A closure that is called when something in the home changes.
    var onChange: (@MainActor () -> Void)?

    /// Creates the app.
    ///
    /// - Parameter progress: A closure that receives a line for each step.
    init(progress: @escaping (String) -> Void) {
        self.progress = progress
        manager = HMHomeManager()
        browser = HMAccessoryBrowser()
        super.init()
        manager.delegate = self
        browser.delegate = self
    }

    /// Creates the home with its rooms and zones, and finds, pairs and places the accessories.
    ///
    /// - Parameters:
    ///   - description: The home to create.
    ///   - names: The names of the demo's accessories.
    ///   - labels: Distinguishes them from other accessories on the network, such as another demo's.
    func setUp(
        _ description: DemoHome,
        accessories names: [String],
        labels: SetupCodeResponder
    ) async throws -> HMHome {
        if manager.homes.isEmpty, !manager.authorizationStatus.contains(.determined) {
            await withCheckedContinuation { managerIsReady = $0 }
        }
        let home = try await createHome(description)
        progress("Searching for accessories on \(DemoEnvironment.interface)")
        let accessories = try await find(names, labels)
        for accessory in accessories {
            try Task.checkCancellation()
            let name = accessory.name
            let start = ContinuousClock.now
            try await home.addAccessory(accessory)
            progress("Paired \(name) in \(Self.milliseconds(since: start)) ms")
        }
        let rooms = Dictionary(home.rooms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for accessory in home.accessories {
            guard let room = description.placement[accessory.name].flatMap({ rooms[$0] }) else { continue }
            try await home.assignAccessory(accessory, to: room)
        }
        try await watch(home)
        return home
    }

    private func createHome(_ description: DemoHome) async throws -> HMHome {
        progress("Creating \(description.home)")
        let home = try await manager.addHome(named: description.home)
        var rooms: [String: HMRoom] = [:]
        for name in description.rooms { rooms[name] = try await home.addRoom(named: name) }
        for (name, members) in description.zones.sorted(by: { $0.key < $1.key }) {
            let zone = try await home.addZone(named: name)
            for member in members {
                guard let room = rooms[member] else {
                    throw CommandFailure("invalidFile", "Zone “\(name)” has an unknown room “\(member)”.")
                }
                try await zone.addRoom(room)
            }
        }
        return home
    }

    private func find(_ names: [String], _ labels: SetupCodeResponder) async throws -> [HMAccessory] {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        onFind = { continuation.yield() }
        let discovery = Task {
            for await _ in labels.discoveries { continuation.yield() }
        }
        let timeout = Task {
            try await Task.sleep(for: Self.searchLimit)
            continuation.finish()
        }
        defer {
            discovery.cancel()
            timeout.cancel()
            onFind = nil
            browser.stopSearchingForNewAccessories()
        }
        browser.startSearchingForNewAccessories()
        var own: [String: HMAccessory] = [:]
        for await _ in changes {
            for (identity, accessory) in found {
                if let name = labels.name(of: identity) { own[name] = accessory }
            }
            if names.allSatisfy({ own[$0] != nil }) { return names.compactMap { own[$0] } }
        }
        try Task.checkCancellation()
        let missing = names.filter { own[$0] == nil }.joined(separator: ", ")
        throw CommandFailure(
            "notDiscovered",
            "mDNS on \(DemoEnvironment.interface) didn't find \(missing) within \(Self.searchLimit). Check that UDP "
                + "port 5353 isn't blocked on loopback, or held by a program that doesn't share it."
        )
    }

    private func watch(_ home: HMHome) async throws {
        home.delegate = self
        for accessory in home.accessories {
            accessory.delegate = self
            for characteristic in accessory.services.flatMap(\.characteristics)
            where characteristic.properties.contains(HMCharacteristicPropertySupportsEventNotification) {
                try await characteristic.enableNotification(true)
            }
        }
    }

    private static func milliseconds(since start: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - start) / .milliseconds(1))
    }
}

extension DemoSetup: @preconcurrency HMHomeManagerDelegate {
    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        managerIsReady?.resume()
        managerIsReady = nil
        onChange?()
    }
}

extension DemoSetup: @preconcurrency HMAccessoryBrowserDelegate {
    func accessoryBrowser(_ browser: HMAccessoryBrowser, didFindNewAccessory accessory: HMAccessory) {
        found[accessory.uniqueIdentifier] = accessory
        onFind?()
    }
}

extension DemoSetup: @preconcurrency HMHomeDelegate {
    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) { onChange?() }
    func home(_ home: HMHome, didAdd room: HMRoom) { onChange?() }
    func home(_ home: HMHome, didRemove room: HMRoom) { onChange?() }
    func home(_ home: HMHome, didUpdateNameFor room: HMRoom) { onChange?() }
    func home(_ home: HMHome, didAdd accessory: HMAccessory) { onChange?() }
    func home(_ home: HMHome, didRemove accessory: HMAccessory) { onChange?() }
}

extension DemoSetup: @preconcurrency HMAccessoryDelegate {
    func accessory(_ accessory: HMAccessory, service: HMService, didUpdateValueFor characteristic: HMCharacteristic) {
        onChange?()
    }

    func accessoryDidUpdateReachability(_ accessory: HMAccessory) { onChange?() }
    func accessoryDidUpdateName(_ accessory: HMAccessory) { onChange?() }
}
