import Foundation
import HomeKit

/// An app that waits for its homes.
final class LoadingApp: NSObject, HMHomeManagerDelegate, @unchecked Sendable {
    // @unchecked: its state is used only on the main queue, where managers call back.

    private var manager: HMHomeManager?
    private var waiting: CheckedContinuation<Int, Never>?
    private(set) var bridges = 0

    /// Creates a manager and waits until the homes are loaded.
    ///
    /// - Returns: The number of accessories.
    func loaded() async -> Int {
        await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
            DispatchQueue.main.async {
                self.waiting = continuation
                self.manager = HMHomeManager()
                self.manager?.delegate = self
            }
        }
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        let accessories = manager.homes.flatMap(\.accessories)
        bridges = accessories.count { $0.category.categoryType == HMAccessoryCategoryTypeBridge }
        waiting?.resume(returning: accessories.count)
        waiting = nil
        self.manager = nil
    }
}
