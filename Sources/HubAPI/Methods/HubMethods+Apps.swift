extension HubMethods {
    /// The names of the methods that an app can call on a socket of its own: those whose caller is ``MethodAudience/apps``.
    ///
    /// A hub has the whole table. An agent passes methods on that it doesn't know, and so needs the list.
    package static let forApps: Set<String> = [
        hello.name, enterBackground.name, enterForeground.name, runningClock.name, addHome.name, removeHome.name,
        renameHome.name,
        setPrimaryHome.name, addRoom.name, removeRoom.name, renameRoom.name, addZone.name, removeZone.name,
        renameZone.name, addRoomToZone.name, removeRoomFromZone.name, read.name, write.name, notify.name, say.name,
        voiceExamples.name, voiceGrammar.name, startBrowsing.name, stopBrowsing.name, addAccessory.name,
        setUpAccessories.name, removeAccessory.name, renameAccessory.name, moveAccessory.name, unblockAccessory.name,
        findAccessory.name, identifyAccessory.name, identifyDiscovered.name, renameService.name,
        setAssociatedType.name, startBrowsingUnconfigured.name, stopBrowsingUnconfigured.name,
        configureAccessory.name, addServiceGroup.name, removeServiceGroup.name, renameServiceGroup.name,
        addServiceToGroup.name, removeServiceFromGroup.name, addActionSet.name, addOwnedActionSet.name,
        removeActionSet.name, renameActionSet.name, addAction.name, setActionValue.name, removeAction.name,
        runActionSet.name, addTrigger.name, removeTrigger.name, renameTrigger.name, editTrigger.name,
        enableTrigger.name, addActionSetToTrigger.name, removeActionSetFromTrigger.name, inviteUser.name,
        manageUsers.name, removeUser.name,
    ]
}
