package import HomeModel
package import LocalRPC

/// The methods for action sets and triggers.
extension HubMethods {
    // MARK: Action sets

    /// Adds an empty action set.
    package static let addActionSet = Method<InHome<AddActionSet>, AddedItem>(
        "actionSet.add",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Adds an empty action set that a trigger owns. It has no name and is removed with the trigger.
    package static let addOwnedActionSet = Method<InHome<AddOwnedActionSet>, AddedItem>(
        "actionSet.addOwned",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes an action set, also from the triggers that run it.
    package static let removeActionSet = Method<InHome<RemoveActionSet>, Empty>(
        "actionSet.remove",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Renames an action set.
    package static let renameActionSet = Method<InHome<RenameActionSet>, Empty>(
        "actionSet.rename",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Adds an action to an action set.
    package static let addAction = Method<InHome<AddAction>, AddedItem>(
        "action.add",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Changes the value that an action writes.
    package static let setActionValue = Method<InHome<SetActionValue>, Empty>(
        "action.setValue",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes an action from its action set.
    package static let removeAction = Method<InHome<RemoveAction>, Empty>(
        "action.remove",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )

    /// Runs an action set. The reply follows the last accessory's answer or deadline, and says which actions failed.
    package static let runActionSet = Method<ItemTarget, ActionSetResult>(
        "actionSet.run",
        for: .apps,
        by: .visitor,
        from: .away
    )

    // MARK: Triggers

    /// Adds a trigger, disabled and without action sets.
    package static let addTrigger = Method<InHome<AddTrigger>, AddedItem>(
        "trigger.add",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes a trigger and the action sets that it owns.
    package static let removeTrigger = Method<InHome<RemoveTrigger>, Empty>(
        "trigger.remove",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Renames a trigger.
    package static let renameTrigger = Method<InHome<RenameTrigger>, Empty>(
        "trigger.rename",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Changes when a trigger fires.
    package static let editTrigger = Method<InHome<EditTrigger>, Empty>(
        "trigger.edit",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Enables or disables a trigger.
    package static let enableTrigger = Method<InHome<EnableTrigger>, Empty>(
        "trigger.enable",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Adds an action set to those that a trigger runs.
    package static let addActionSetToTrigger = Method<InHome<AddActionSetToTrigger>, Empty>(
        "trigger.addActionSet",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )
    /// Removes an action set from those that a trigger runs. One that the trigger owns is deleted.
    package static let removeActionSetFromTrigger = Method<InHome<RemoveActionSetFromTrigger>, Empty>(
        "trigger.removeActionSet",
        for: .apps,
        by: .editor,
        from: .away,
        on: .leader,
        isDurable: true
    )

    /// Says what a trigger would do if one of its events happened now, and when it fires next. Changes nothing.
    package static let testTrigger = Method<ItemTarget, TriggerForecast>(
        "trigger.test",
        for: .people,
        by: .visitor,
        from: .away
    )
}
