import HomeKit

// A maker's app as it is written for Apple's systems, in Swift 5 and with nothing but `import HomeKit`: one store with the
// one manager, which passes on what its delegates hear to any number of listeners; a list of tiles; details; settings.

/// Has the app's one home manager, and tells whoever wants to know what happens in the homes.
class HomeStore: NSObject {
    let homeManager = HMHomeManager()

    /// Who hears what homes tell.
    var homeDelegates = Set<NSObject>()
    /// Who hears what accessories tell.
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
