import Foundation
import HomeModel
import HubAPI

extension HMHome {
    /// The action sets: those that every home has, then the others in the order in which they were added. Action sets
    /// that a trigger owns are left out.
    /// - Since: iOS 8.0
    public var actionSets: [HMActionSet] {
        homeReference.context.actionSets(of: homeReference) { $0.actionSets.map(\.id) }
    }

    /// Returns the action set of a kind that every home has: ``HMActionSetTypeWakeUp``, ``HMActionSetTypeSleep``,
    /// ``HMActionSetTypeHomeDeparture`` or ``HMActionSetTypeHomeArrival``. Returns `nil` for other kinds.
    /// - Since: iOS 9.0
    public func builtinActionSet(ofType actionSetType: String) -> HMActionSet? {
        guard let type = ActionSetType(homeKitName: actionSetType) else { return nil }
        return homeReference.context.actionSets(of: homeReference) { home in
            home.builtInActionSet(of: type).map { [$0.id] } ?? []
        }.first
    }

    /// Adds an action set without actions.
    ///
    /// Errors: ``HMError/Code/objectWithSimilarNameExistsInHome`` and the errors for invalid names;
    /// ``HMError/Code/insufficientPrivileges`` for guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func addActionSet(
        withName actionSetName: String,
        completionHandler completion: @escaping @Sendable (HMActionSet?, (any Error)?) -> Void
    ) {
        let homeReference = homeReference
        let parameters = InHome(homeReference.home, AddActionSet(name: actionSetName))
        homeReference.context.add(HubMethods.addActionSet, parameters, completion) { context, id in
            context.actionSets(of: homeReference) { $0.actionSet(id) == nil ? [] : [id] }.first
        }
    }

    /// Adds an action set; see the completion-handler form.
    /// - Since: iOS 8.0
    public func addActionSet(named actionSetName: String) async throws -> HMActionSet {
        try await completing { addActionSet(withName: actionSetName, completionHandler: $0) }
    }

    /// Removes an action set, also from the triggers that run it.
    ///
    /// Errors: ``HMError/Code/cannotRemoveBuiltinActionSet``, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if it is already gone; ``HMError/Code/insufficientPrivileges`` for
    /// guests.
    /// - Since: iOS 8.0
    @preconcurrency
    public func removeActionSet(
        _ actionSet: HMActionSet,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        homeReference.context.call(
            HubMethods.removeActionSet,
            try homeReference.target(actionSet.uniqueIdentifier, actionSet.homeReference),
            completion: completion
        )
    }

    /// Removes an action set; see the completion-handler form.
    /// - Since: iOS 8.0
    public func removeActionSet(_ actionSet: HMActionSet) async throws {
        try await completing { removeActionSet(actionSet, completionHandler: $0) }
    }

    /// Runs the actions of an action set. Guests may do this too. The completion handler is called after the last
    /// accessory has answered, or the hub has stopped waiting for it.
    ///
    /// Errors: ``HMError/Code/actionSetExecutionFailed`` if every action failed,
    /// ``HMError/Code/actionSetExecutionPartialSuccess`` if some did, ``HMError/Code/actionSetExecutionInProgress`` if it
    /// is already running, ``HMError/Code/noActionsInActionSet``, ``HMError/Code/objectAssociatedToAnotherHome``,
    /// ``HMError/Code/objectNotAssociatedToAnyHome`` if it is gone. For the first two, ``HMError/userInfo`` has the
    /// accessories that failed under ``HMUserFailedAccessoriesKey``, and the reasons under
    /// `NSLocalizedFailureReasonErrorKey`.
    /// - Since: iOS 8.0
    @preconcurrency
    public func executeActionSet(
        _ actionSet: HMActionSet,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let homeReference = homeReference
        homeReference.context.call(HubMethods.runActionSet, try target(actionSet)) {
            (reply: Result<ActionSetResult, HMError>) in
            switch reply {
            case .success(let result): completion(HMError(result, in: homeReference))
            case .failure(let error): completion(error)
            }
        }
    }

    /// Runs the actions of an action set; see the completion-handler form.
    /// - Since: iOS 8.0
    public func executeActionSet(_ actionSet: HMActionSet) async throws {
        try await completing { executeActionSet(actionSet, completionHandler: $0) }
    }

    private func target(_ actionSet: HMActionSet) throws(HMError) -> ItemTarget {
        try homeReference.check()
        try homeReference.check(actionSet.homeReference)
        return try homeReference.item(actionSet.uniqueIdentifier)
    }
}

extension HMError {
    /// Creates the error for the run of an action set, or returns `nil` if no action failed.
    fileprivate init?(_ result: ActionSetResult, in home: HomeReference) {
        guard !result.failures.isEmpty else { return nil }
        var ids: [UUID] = []
        for id in result.failures.compactMap(\.accessory) where !ids.contains(id) { ids.append(id) }
        let accessories = home.context.accessories(of: home) { home in ids.filter { home.accessories.contains(id: $0) }
        }
        let reasons = result.failures.map { failure in
            let accessory = accessories.first { $0.uniqueIdentifier == failure.accessory }
            return (accessory.map { "\($0.name): " } ?? "") + failure.error.reason
        }
        self.init(
            result.failures.count < result.actions ? .actionSetExecutionPartialSuccess : .actionSetExecutionFailed,
            userInfo: [
                HMUserFailedAccessoriesKey: accessories,
                NSLocalizedFailureReasonErrorKey: reasons.joined(separator: " "),
            ]
        )
    }
}
