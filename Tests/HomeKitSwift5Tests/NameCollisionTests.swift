// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, NeverUseImplicitlyUnwrappedOptionals
import HomeKit
import Testing

// Delegates with properties that have the names of delegate methods: `home`, `accessory`, `homeManager`. They take
// precedence over anything in the framework with these names.

class NamesakeScreen: NSObject, HMHomeDelegate, HMAccessoryDelegate, HMHomeManagerDelegate, HMAccessoryBrowserDelegate {
    var home: HMHome?
    weak var accessory: HMAccessory?
    lazy var homeManager: HMHomeManager = SilentManager()
    var accessoryBrowser: HMAccessoryBrowser!
    var log: [String] = []

    func use() -> Int {
        home?.delegate = self
        if let home = home { log.append(home.name) }
        if let accessory { log.append(accessory.name) }
        let first = home
        let names = [home, first].compactMap { $0 }.map { $0.name } + ["\(accessory?.name ?? "none")"]
        log.append(contentsOf: names)
        homeManager.delegate = self
        accessoryBrowser?.delegate = self
        accessoryBrowser = nil
        replace(&home)
        let later = { [home, weak accessory] in (home?.name ?? "") + (accessory?.room?.name ?? "") }
        log.append(later())
        let byPath = self[keyPath: \NamesakeScreen.home]
        let isSame = byPath == home && home == nil && accessory === nil && home?.rooms.first == accessory?.room
        switch home {
        case .some(let home): log.append(home.name)
        case .none: log.append("no home")
        }
        guard let home = self.home ?? homeManager.homes.first else { return isSame ? 1 : 0 }
        return home.rooms.count
    }

    func replace(_ home: inout HMHome?) { home = nil }

    func homeDidUpdateName(_ home: HMHome) {
        if self.home == home { log.append(home.name) }
        if self.home?.delegate?.homeDidUpdateName?(home) == nil { log.append("nobody else") }
    }
}

/// A delegate of everything that notes what it hears; the calls below are those of an app to its own delegates.
class Listener: NSObject, HMHomeManagerDelegate, HMAccessoryBrowserDelegate {
    var heard: [String] = []

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) { heard.append("homes") }

    func homeManager(_ manager: HMHomeManager, didUpdate status: HMHomeManagerAuthorizationStatus) {
        heard.append("status \(status.rawValue)")
    }
}

@Suite struct NameCollisionTests {
    @Test func anAppsOwnPropertiesComeFirst() {
        let screen = NamesakeScreen()
        #expect(screen.use() == 1)
        #expect(screen.log == ["none", "", "no home"])
    }

    @Test func aDelegateIsCalledByItsOptionalMethods() {
        let listener = Listener()
        let delegate: HMHomeManagerDelegate = listener
        let none: HMHomeManagerDelegate? = nil
        let manager = SilentManager()
        delegate.homeManagerDidUpdateHomes?(manager)
        delegate.homeManager?(manager, didUpdate: [.determined])
        none?.homeManagerDidUpdateHomes?(manager)
        // Left out by the listener: nothing happens.
        delegate.homeManagerDidUpdatePrimaryHome?(manager)
        delegate.homeManagerDidUpdateHomes(manager)
        #expect(listener.heard == ["homes", "status 1", "homes"])
    }
}
