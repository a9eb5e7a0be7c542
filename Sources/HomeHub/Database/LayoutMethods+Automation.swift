import HomeModel
import HubAPI

/// Service groups, action sets and triggers.
extension LayoutMethods {
    func registerServiceGroups(in router: inout MethodRouter) {
        onAddition(HubMethods.addServiceGroup, in: &router) { ($1.home, .addServiceGroup(id: $0, name: $1.name)) }
        on(HubMethods.removeServiceGroup, in: &router) { ($0.home, .removeServiceGroup($0.id)) }
        on(HubMethods.renameServiceGroup, in: &router) { ($0.home, .renameServiceGroup($0.id, name: $0.name)) }
        on(HubMethods.addServiceToGroup, in: &router) { ($0.home, .addServiceToGroup($0.service, group: $0.group)) }
        on(HubMethods.removeServiceFromGroup, in: &router) {
            ($0.home, .removeServiceFromGroup($0.service, group: $0.group))
        }
    }

    func registerActionSets(in router: inout MethodRouter) {
        onAddition(HubMethods.addActionSet, in: &router) { ($1.home, .addActionSet(id: $0, name: $1.name)) }
        onAddition(HubMethods.addOwnedActionSet, in: &router) {
            ($1.home, .addOwnedActionSet(id: $0, trigger: $1.trigger))
        }
        on(HubMethods.removeActionSet, in: &router) { ($0.home, .removeActionSet($0.id)) }
        on(HubMethods.renameActionSet, in: &router) { ($0.home, .renameActionSet($0.id, name: $0.name)) }
        onAddition(HubMethods.addAction, in: &router, id: \.id) {
            ($1.home, .addAction(id: $0, $1.characteristic, value: $1.value, actionSet: $1.actionSet))
        }
        on(HubMethods.setActionValue, in: &router) {
            ($0.home, .setActionValue($0.value, action: $0.id, actionSet: $0.actionSet))
        }
        on(HubMethods.removeAction, in: &router) { ($0.home, .removeAction($0.id, actionSet: $0.actionSet)) }
    }

    func registerTriggers(in router: inout MethodRouter) {
        onAddition(HubMethods.addTrigger, in: &router, id: \.id) {
            ($1.home, .addTrigger(id: $0, name: $1.name, $1.definition))
        }
        on(HubMethods.removeTrigger, in: &router) { ($0.home, .removeTrigger($0.id)) }
        on(HubMethods.renameTrigger, in: &router) { ($0.home, .renameTrigger($0.id, name: $0.name)) }
        on(HubMethods.editTrigger, in: &router) { ($0.home, .editTrigger($0.id, $0.edit)) }
        on(HubMethods.enableTrigger, in: &router) { ($0.home, .enableTrigger($0.id, $0.isEnabled)) }
        on(HubMethods.addActionSetToTrigger, in: &router) {
            ($0.home, .addActionSetToTrigger(actionSet: $0.actionSet, trigger: $0.trigger))
        }
        on(HubMethods.removeActionSetFromTrigger, in: &router) {
            ($0.home, .removeActionSetFromTrigger(actionSet: $0.actionSet, trigger: $0.trigger))
        }
    }
}
