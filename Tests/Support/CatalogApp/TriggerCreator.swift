import HomeKit

/// Saves an automation: it creates the trigger or changes it, then makes it run exactly the chosen scenes.
class TriggerCreator {
    let home: HMHome
    private(set) var trigger: HMTrigger?
    private(set) var name = ""
    let saveGroup = DispatchGroup()
    var errors: [Error] = []

    init(trigger: HMTrigger?, home: HMHome) {
        self.home = home
        self.trigger = trigger
    }

    /// Returns a trigger from what the form has. Subclasses override it.
    func newTrigger() -> HMTrigger? { nil }

    /// Saves what the form has in the existing trigger. Subclasses override it and enter ``saveGroup``.
    func updateTrigger() {}

    func save(named name: String, actionSets: [HMActionSet], completion: @escaping (HMTrigger?, [Error]) -> Void) {
        self.name = name
        if trigger != nil {
            updateTrigger()
            updateNameIfNecessary()
            configure(with: actionSets)
        } else if let trigger = newTrigger() {
            self.trigger = trigger
            saveGroup.enter()
            home.addTrigger(trigger) { error in
                if let error = error {
                    self.errors.append(error)
                } else {
                    self.configure(with: actionSets)
                }
                self.saveGroup.leave()
            }
        }
        saveGroup.notify(queue: .main) {
            completion(self.trigger, self.errors)
            self.errors = []
        }
    }

    private func updateNameIfNecessary() {
        if trigger?.name == name { return }
        saveGroup.enter()
        trigger?.updateName(name, completionHandler: finishStep)
    }

    private func configure(with actionSets: [HMActionSet]) {
        guard let trigger = trigger else { return }
        for actionSet in trigger.actionSets where !actionSets.contains(actionSet) {
            saveGroup.enter()
            trigger.removeActionSet(actionSet, completionHandler: finishStep)
        }
        for actionSet in actionSets where !trigger.actionSets.contains(actionSet) {
            saveGroup.enter()
            trigger.addActionSet(actionSet, completionHandler: finishStep)
        }
    }

    func finishStep(_ error: Error?) {
        if let error = error { errors.append(error) }
        saveGroup.leave()
    }
}
