import HomeKit

// Forwards the callbacks of homes. As on Apple's systems, the listeners need not implement every method.
extension HomeStore: HMHomeDelegate {
    private func notifyHomeDelegates(_ message: (HMHomeDelegate) -> Void) {
        homeDelegates.forEach {
            guard let delegate = $0 as? HMHomeDelegate else { return }
            message(delegate)
        }
    }

    func homeDidUpdateName(_ home: HMHome) {
        notifyHomeDelegates { $0.homeDidUpdateName?(home) }
    }

    func home(_ home: HMHome, didAdd accessory: HMAccessory) {
        notifyHomeDelegates { $0.home?(home, didAdd: accessory) }
    }

    func home(_ home: HMHome, didUpdate room: HMRoom, for accessory: HMAccessory) {
        notifyHomeDelegates { $0.home?(home, didUpdate: room, for: accessory) }
    }

    func home(_ home: HMHome, didRemove accessory: HMAccessory) {
        notifyHomeDelegates { $0.home?(home, didRemove: accessory) }
    }

    func home(_ home: HMHome, didAdd room: HMRoom) {
        notifyHomeDelegates { $0.home?(home, didAdd: room) }
    }

    func home(_ home: HMHome, didUpdateNameFor room: HMRoom) {
        notifyHomeDelegates { $0.home?(home, didUpdateNameFor: room) }
    }

    func home(_ home: HMHome, didRemove room: HMRoom) {
        notifyHomeDelegates { $0.home?(home, didRemove: room) }
    }

    func home(_ home: HMHome, didAdd user: HMUser) {
        notifyHomeDelegates { $0.home?(home, didAdd: user) }
    }

    func home(_ home: HMHome, didRemove user: HMUser) {
        notifyHomeDelegates { $0.home?(home, didRemove: user) }
    }

    func homeDidUpdateAccessControl(forCurrentUser home: HMHome) {
        notifyHomeDelegates { $0.homeDidUpdateAccessControl?(forCurrentUser: home) }
    }
}
