import Foundation
import HomeKit
import Synchronization

/// An app that watches and reads accessories.
final class WatchingApp: NSObject, HMHomeManagerDelegate, HMAccessoryDelegate, @unchecked Sendable {
    // @unchecked: its state is used only on the main queue, where managers call back. Update times are behind a lock.

    private var manager: HMHomeManager?
    private var loading: CheckedContinuation<Void, Never>?
    private let updateTimes = Mutex<[Int: ContinuousClock.Instant]>([:])

    /// Creates a manager and waits until the homes are loaded.
    func load() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.main.async {
                self.loading = continuation
                self.manager = HMHomeManager()
                self.manager?.delegate = self
            }
        }
    }

    /// Releases the manager.
    func end() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.main.async {
                self.manager = nil
                continuation.resume()
            }
        }
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        loading?.resume()
        loading = nil
    }

    private var accessories: [HMAccessory] { manager?.homes.flatMap(\.accessories) ?? [] }

    // MARK: Values

    /// Enables notifications of the brightness of an accessory's first service, once the accessory is reachable.
    func watch(_ accessory: String) async throws {
        guard let accessory = accessories.first(where: { $0.uniqueIdentifier.uuidString == accessory }),
            let brightness = accessory.services.lazy.flatMap(\.characteristics)
                .first(where: { $0.characteristicType == HMCharacteristicTypeBrightness })
        else { throw BenchFailure("the app doesn't have the lamp") }
        accessory.delegate = self
        let timeout = ContinuousClock.now + .seconds(20)
        while !accessory.isReachable, .now < timeout { try await Task.sleep(for: .milliseconds(20)) }
        try await brightness.enableNotification(true)
    }

    func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {
        let now = ContinuousClock.now
        guard let value = characteristic.value as? Int else { return }
        updateTimes.withLock { $0[value] = now }
    }

    /// Returns the time when the delegate received a value, or `nil`.
    func updateTime(of value: Int) -> ContinuousClock.Instant? {
        updateTimes.withLock { $0.removeValue(forKey: value) }
    }

    /// Returns the first characteristic of a type of each accessory that has one.
    func characteristics(_ type: String) async -> [BenchCharacteristic] {
        await withCheckedContinuation { (continuation: CheckedContinuation<[BenchCharacteristic], Never>) in
            DispatchQueue.main.async {
                let found = (self.manager?.homes ?? []).flatMap { home in
                    home.accessories.compactMap { accessory -> BenchCharacteristic? in
                        let characteristics = accessory.services.lazy.flatMap(\.characteristics)
                        guard let first = characteristics.first(where: { $0.characteristicType == type }) else {
                            return nil
                        }
                        return BenchCharacteristic(
                            home: home.uniqueIdentifier.uuidString,
                            accessory: accessory.uniqueIdentifier.uuidString,
                            accessoryName: accessory.name,
                            id: first.uniqueIdentifier.uuidString,
                            type: type
                        )
                    }
                }
                continuation.resume(returning: found)
            }
        }
    }

    // MARK: Reads

    /// Reads characteristics in one turn of the main queue, the same number from each accessory.
    ///
    /// - Returns: The number of failed reads.
    func read(_ count: Int) async -> Int {
        await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
            DispatchQueue.main.async {
                let readable = self.accessories.flatMap { accessory in
                    accessory.services.filter { $0.serviceType == HMServiceTypeLightbulb }.flatMap(\.characteristics)
                        .filter { $0.properties.contains(HMCharacteristicPropertyReadable) }
                }
                let chosen = readable.prefix(count)
                guard chosen.count == count else { return continuation.resume(returning: count) }
                let open = Mutex((left: count, failed: 0))
                let completed: @Sendable ((any Error)?) -> Void = { error in
                    let (left, failed) = open.withLock { state in
                        state.left -= 1
                        if error != nil { state.failed += 1 }
                        return (state.left, state.failed)
                    }
                    if left == 0 { continuation.resume(returning: failed) }
                }
                for characteristic in chosen { characteristic.readValue(completionHandler: completed) }
            }
        }
    }
}
