import HomeKit

// The scene and automation parts of an app in the style of Apple's sample catalogs, in Swift 5 and with nothing but
// `import HomeKit`: creators, which collect what a person enters in a form and save it with groups of calls, and lists, which
// follow the home by its delegate.

/// Lists the scenes and automations of a home, sorted by name, as a table shows them.
class HomeCatalog: NSObject, HMHomeManagerDelegate {
    let homeManager = HMHomeManager()
    private(set) var home: HMHome?
    private(set) var actionSets: [HMActionSet] = []
    private(set) var triggers: [HMTrigger] = []
    /// The rows that the table was asked to insert, delete or reload.
    private(set) var updates: [String] = []
    private(set) var lastError: Error?

    override init() {
        super.init()
        homeManager.delegate = self
    }

    func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
        home = manager.primaryHome ?? manager.homes.first
        home?.delegate = self
        reload()
    }

    private func reload() {
        guard let home = home else { return }
        actionSets = home.actionSets.sorted { $0.name.localizedCompare($1.name) == .orderedAscending }
        triggers = home.triggers.sorted { $0.name.localizedCompare($1.name) == .orderedAscending }
    }

    /// The scenes in which a person puts actions, with the number of their actions.
    var sceneRows: [String] {
        actionSets.filter { $0.actionSetType == HMActionSetTypeUserDefined || !$0.actions.isEmpty }
            .map { "\($0.name) (\($0.actions.count))" }
    }

    var triggerRows: [String] {
        triggers.map { "\($0.name), \($0.isEnabled ? "on" : "off"): \($0.localizedSummary)" }
    }

    func run(_ actionSet: HMActionSet, completion: @escaping (Error?) -> Void) {
        home?.executeActionSet(actionSet) { error in
            self.lastError = error
            completion(error)
        }
    }

    func remove(_ trigger: HMTrigger, completion: @escaping () -> Void) {
        home?.removeTrigger(trigger) { error in
            self.lastError = error
            // An app tells its own lists about its own changes.
            if error == nil, let home = self.home { self.home(home, didRemove: trigger) }
            completion()
        }
    }

    func setEnabled(_ isEnabled: Bool, _ trigger: HMTrigger, completion: @escaping () -> Void) {
        trigger.enable(isEnabled) { error in
            self.lastError = error
            completion()
        }
    }

    private func note(_ update: String) {
        reload()
        updates.append(update)
    }
}

extension HomeCatalog: HMHomeDelegate {
    func home(_ home: HMHome, didAdd actionSet: HMActionSet) {
        note("insert scene \(actionSet.name)")
    }

    func home(_ home: HMHome, didRemove actionSet: HMActionSet) {
        note("delete scene \(actionSet.name)")
    }

    func home(_ home: HMHome, didUpdateNameFor actionSet: HMActionSet) {
        note("reload scene \(actionSet.name)")
    }

    func home(_ home: HMHome, didUpdateActionsFor actionSet: HMActionSet) {
        note("reload actions of \(actionSet.name)")
    }

    func home(_ home: HMHome, didAdd trigger: HMTrigger) {
        note("insert trigger \(trigger.name)")
    }

    func home(_ home: HMHome, didRemove trigger: HMTrigger) {
        note("delete trigger \(trigger.name)")
    }

    func home(_ home: HMHome, didUpdateNameFor trigger: HMTrigger) {
        note("rename trigger \(trigger.name)")
    }

    func home(_ home: HMHome, didUpdate trigger: HMTrigger) {
        note("reload trigger \(trigger.name)")
    }
}
