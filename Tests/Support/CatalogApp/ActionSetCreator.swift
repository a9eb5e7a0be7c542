import HomeKit

/// Collects the values of a scene and saves them: it creates the scene or changes it, and adds or changes one action for each
/// characteristic.
class ActionSetCreator {
    private let home: HMHome
    private(set) var actionSet: HMActionSet?
    private var targetValues: [HMCharacteristic: NSCopying] = [:]
    private let saveGroup = DispatchGroup()
    private var saveError: Error?

    init(actionSet: HMActionSet?, home: HMHome) {
        self.actionSet = actionSet
        self.home = home
    }

    /// Whether the form has a value or the scene an action.
    var containsActions: Bool { !allCharacteristics.isEmpty }

    /// The characteristics with a new value or an action.
    var allCharacteristics: [HMCharacteristic] {
        let saved = actions.map { $0.characteristic }.filter { targetValues[$0] == nil }
        return Array(targetValues.keys) + saved
    }

    private var actions: [HMCharacteristicWriteAction<NSCopying>] {
        actionSet?.actions.compactMap { $0 as? HMCharacteristicWriteAction<NSCopying> } ?? []
    }

    /// Returns the value in the form, or the one that the scene has.
    func targetValue(for characteristic: HMCharacteristic) -> NSCopying? {
        targetValues[characteristic] ?? actions.first { $0.characteristic == characteristic }?.targetValue
    }

    func updateValue(_ value: NSCopying, for characteristic: HMCharacteristic) {
        targetValues[characteristic] = value
    }

    /// Removes the value from the form and the action from the scene.
    func removeTargetValue(for characteristic: HMCharacteristic, completion: @escaping () -> Void) {
        if targetValues.removeValue(forKey: characteristic) != nil { return completion() }
        guard let action = actions.first(where: { $0.characteristic == characteristic }) else { return completion() }
        actionSet?.removeAction(action) { error in
            if let error = error { print(error.localizedDescription) }
            completion()
        }
    }

    func save(named name: String, completion: @escaping (HMActionSet?, Error?) -> Void) {
        if let actionSet = actionSet {
            saveActions(in: actionSet)
            updateNameIfNecessary(name)
        } else {
            createActionSet(named: name)
        }
        saveGroup.notify(queue: .main) {
            completion(self.actionSet, self.saveError)
            self.saveError = nil
            self.targetValues.removeAll()
        }
    }

    private func createActionSet(named name: String) {
        saveGroup.enter()
        home.addActionSet(withName: name) { actionSet, error in
            if let actionSet = actionSet {
                self.actionSet = actionSet
                self.saveActions(in: actionSet)
            } else {
                self.saveError = error
            }
            self.saveGroup.leave()
        }
    }

    private func updateNameIfNecessary(_ name: String) {
        if actionSet?.name == name { return }
        saveGroup.enter()
        actionSet?.updateName(name) { error in
            if let error = error { self.saveError = error }
            self.saveGroup.leave()
        }
    }

    private func saveActions(in actionSet: HMActionSet) {
        for (characteristic, value) in targetValues {
            saveGroup.enter()
            let action = HMCharacteristicWriteAction(characteristic: characteristic, targetValue: value)
            add(action, to: actionSet) { error in
                if let error = error { self.saveError = error }
                self.saveGroup.leave()
            }
        }
    }

    /// Adds an action, or changes the value of the one for the same characteristic.
    private func add(
        _ action: HMCharacteristicWriteAction<NSCopying>,
        to actionSet: HMActionSet,
        completion: @escaping (Error?) -> Void
    ) {
        if let existing = actions.first(where: { $0.characteristic == action.characteristic }) {
            existing.updateTargetValue(action.targetValue, completionHandler: completion)
        } else {
            actionSet.addAction(action, completionHandler: completion)
        }
    }
}
