import Foundation
import HomeKit

/// Sets up the demo home as an app would that was written for Apple's systems: by the `HomeKit` module and nothing else.
@MainActor
final class DemoSetup: NSObject {
    // A class, because delegates are.

    /// How long the search for accessories may take.
    private static let searchLimit = Duration.seconds(60)

    private let manager: HMHomeManager
    private let browser: HMAccessoryBrowser
    private let progress: (String) -> Void
    private var managerIsReady: CheckedContinuation<Void, Never>?
    private var found: [UUID: HMAccessory] = [:]
    private var onFind: (() -> Void)?

    /// Called when something in the home changed.
    var onChange: (@MainActor () -> Void)?

    /// Makes the app; `progress` gets a line for each step.
    init(progress: @escaping (String) -> Void) {
        self.progress = progress
        manager = HMHomeManager()
        browser = HMAccessoryBrowser()
        super.init()
        manager.delegate = self
        browser.delegate = self
    }

    /// Makes the home with its rooms and zones, finds the accessories, pairs them and puts them into their rooms.
    ///
    /// - Parameters:
    ///   - names: The names of the demo's accessories.
    ///   - labels: Tells them from other accessories on the network, those of another demo for example.
    func setUp(
        _ description: DemoHome,
        accessories names: [String],
        labels: SetupCodeResponder
    ) async throws -> HMHome {
        if manager.homes.isEmpty, !manager.authorizationStatus.contains(.determined) {
            await withCheckedContinuation { managerIsReady = $0 }
        }
        let home = try await layOut(description)
        progress("Searching for accessories on \(DemoEnvironment.interface)")
        let accessories = try await find(names, labels)
        for accessory in accessories {
            try Task.checkCancellation()
            let name = accessory.name
            let began = ContinuousClock.now
            try await home.addAccessory(accessory)
            progress("Paired \(name) in \(Self.milliseconds(since: began)) ms")
        }
        let rooms = Dictionary(home.rooms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for accessory in home.accessories {
            guard let room = description.placement[accessory.name].flatMap({ rooms[$0] }) else { continue }
            try await home.assignAccessory(accessory, to: room)
        }
        try await watch(home)
        return home
    }

    private func layOut(_ description: DemoHome) async throws -> HMHome {
        progress("Laying out \(description.home)")
        let home = try await manager.addHome(named: description.home)
        var rooms: [String: HMRoom] = [:]
        for name in description.rooms { rooms[name] = try await home.addRoom(named: name) }
        for (name, members) in description.zones.sorted(by: { $0.key < $1.key }) {
            let zone = try await home.addZone(named: name)
            for member in members {
                guard let room = rooms[member] else {
                    throw CommandFailure("invalidFile", "Zone “\(name)” has room “\(member)”, which the home has not.")
                }
                try await zone.addRoom(room)
            }
        }
        return home
    }

    private func find(_ names: [String], _ labels: SetupCodeResponder) async throws -> [HMAccessory] {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        onFind = { continuation.yield() }
        let sighting = Task {
            for await _ in labels.sightings { continuation.yield() }
        }
        let limit = Task {
            try await Task.sleep(for: Self.searchLimit)
            continuation.finish()
        }
        defer {
            sighting.cancel()
            limit.cancel()
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
            "mDNS on \(DemoEnvironment.interface) did not show \(missing) within \(Self.searchLimit). Is UDP port 5353 blocked "
                + "on loopback, or taken by a program that does not share it?"
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

    private static func milliseconds(since began: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - began) / .milliseconds(1))
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
