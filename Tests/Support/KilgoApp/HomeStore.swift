import HomeKit

// A vendor's app in the style of Apple's systems, in Swift 5 and with nothing but `import HomeKit`: one store with the
// home manager, which forwards delegate callbacks to any number of listeners; a list of tiles; details; settings.

/// Owns the app's home manager and notifies listeners of what happens in the homes.
class HomeStore: NSObject {
    let homeManager = HMHomeManager()

    /// The listeners for callbacks of homes.
    var homeDelegates = Set<NSObject>()
    /// The listeners for callbacks of accessories.
    var accessoryDelegates = Set<NSObject>()

    func addHomeDelegate(_ delegate: NSObject) {
        homeDelegates.insert(delegate)
    }

    func removeHomeDelegate(_ delegate: NSObject) {
        homeDelegates.remove(delegate)
    }

    func addAccessoryDelegate(_ delegate: NSObject) {
        accessoryDelegates.insert(delegate)
    }

    func removeAccessoryDelegate(_ delegate: NSObject) {
        accessoryDelegates.remove(delegate)
    }
}
