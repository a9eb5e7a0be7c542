import Foundation
import HomeKit
import Synchronization

/// An app that watches and reads accessories.
final class WatchingApp: NSObject, HMHomeManagerDelegate, HMAccessoryDelegate, @unchecked Sendable {
    // @unchecked: its state is used on the main queue only, where managers call back; what is told goes through a lock.

    private var manager: HMHomeManager?
    private var loading: CheckedContinuation<Void, Never>?
    private let told = Mutex<[Int: ContinuousClock.Instant]>([:])

    /// Makes a manager and waits until the homes are there.
    func load() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            DispatchQueue.main.async {
                self.loading = continuation
                self.manager = HMHomeManager()
                self.manager?.delegate = self
            }
        }
    }

    /// Lets the manager go.
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

    /// Asks to hear of the brightness of the first service of an accessory, once that can be reached.
    func watch(_ accessory: String) async throws {
        guard let accessory = accessories.first(where: { $0.uniqueIdentifier.uuidString == accessory }),
            let brightness = accessory.services.lazy.flatMap(\.characteristics)
                .first(where: { $0.characteristicType == HMCharacteristicTypeBrightness })
        else { throw BenchFailure("the app does not see the lamp") }
        accessory.delegate = self
        let limit = ContinuousClock.now + .seconds(20)
        while !accessory.isReachable, .now < limit { try await Task.sleep(for: .milliseconds(20)) }
        try await brightness.enableNotification(true)
    }

    func accessory(
        _ accessory: HMAccessory,
        service: HMService,
        didUpdateValueFor characteristic: HMCharacteristic
    ) {
        let now = ContinuousClock.now
        guard let value = characteristic.value as? Int else { return }
        told.withLock { $0[value] = now }
    }

    /// When the delegate heard of a value; nil if it has not.
    func told(of value: Int) -> ContinuousClock.Instant? {
        told.withLock { $0.removeValue(forKey: value) }
    }

    // MARK: Reads

    /// Reads so many characteristics in one turn of the main queue, as many of each accessory.
    ///
    /// - Returns: How many of the reads failed.
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
