import Foundation
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import Testing

/// Service groups, action sets and triggers as clients make them.
struct AutomationMethodTests {
    private static let daily = TriggerDefinition.timer(
        TimerSchedule(fireDate: Date(timeIntervalSince1970: 60), recurrence: RecurrenceInterval(days: 1))
    )

    private static func gadget(_ probe: RecordingHubClient, _ home: UUID) throws -> AccessoryRecord {
        try #require(probe.view.homes[home]?.accessories.first)
    }

    private static func power(_ probe: RecordingHubClient, _ home: UUID) throws -> CharacteristicIdentity {
        let state = try #require(probe.view.homes[home])
        return try #require(state.identity(ofCharacteristic: 11, in: try gadget(probe, home).id))
    }

    @Test func aServiceGroupIsMadeFilledRenamedAndRemoved() async throws {
        try await withFurnishedHub { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let gadget = try Self.gadget(probe, home).id
            let service = try #require(probe.view.homes[home]?.identity(ofService: 10, in: gadget))
            let id = try await probe.call(HubMethods.addServiceGroup, AddNamed(home: home, name: "Lights")).id
            let membership = ServiceGroupMembership(home: home, group: id, service: service)
            _ = try await probe.call(HubMethods.addServiceToGroup, membership)
            #expect(probe.view.homes[home]?.serviceGroups[id: id]?.services == [service])
            #expect(try await probe.refusal(HubMethods.addServiceToGroup, membership) == "alreadyInGroup")
            _ = try await probe.call(HubMethods.renameServiceGroup, Rename(home: home, id: id, name: "Lamps"))
            #expect(probe.view.homes[home]?.serviceGroups[id: id]?.name == "Lamps")
            _ = try await probe.call(HubMethods.removeServiceFromGroup, membership)
            #expect(probe.view.homes[home]?.serviceGroups[id: id]?.services == [])
            #expect(try await probe.refusal(HubMethods.removeServiceFromGroup, membership) == "notInGroup")
            var nowhere = membership
            nowhere.service.service = UUID()
            #expect(try await probe.refusal(HubMethods.addServiceToGroup, nowhere) == "notFound")
            _ = try await probe.call(HubMethods.removeServiceGroup, Target(home: home, id: id))
            #expect(probe.view.homes[home]?.serviceGroups.isEmpty == true)
        }
    }

    @Test func aSwitchCanBeSaidToBelongToAFanAndALampCannot() async throws {
        try await withFurnishedHub { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let gadget = try Self.gadget(probe, home).id
            var request = SetAssociatedType(home: home, accessory: gadget, iid: 20, type: HAPType.Service.fan)
            _ = try await probe.call(HubMethods.setAssociatedType, request)
            #expect(try Self.gadget(probe, home).associatedTypes[20] == HAPType.Service.fan)
            request.type = nil
            _ = try await probe.call(HubMethods.setAssociatedType, request)
            #expect(try Self.gadget(probe, home).associatedTypes.isEmpty)
            request.iid = 10
            let refusal = try await probe.refusal(HubMethods.setAssociatedType, request)
            #expect(refusal == "invalidAssociatedType")
        }
    }

    @Test func aSceneIsMadeOfActionsWhoseIdentityTheClientMayChoose() async throws {
        try await withFurnishedHub { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let power = try Self.power(probe, home)
            let scene = try await probe.call(HubMethods.addActionSet, AddNamed(home: home, name: "Movie Night")).id
            let id = UUID()
            let action = AddAction(home: home, actionSet: scene, id: id, characteristic: power, value: .bool(true))
            #expect(try await probe.call(HubMethods.addAction, action).id == id)
            #expect(try await probe.refusal(HubMethods.addAction, action) == "actionOnSameCharacteristic")
            // A number that is no less a switch's value is taken in the switch's own form.
            let off = SetActionValue(home: home, actionSet: scene, id: id, value: .integer(0))
            _ = try await probe.call(HubMethods.setActionValue, off)
            let actions = probe.view.homes[home]?.actionSet(scene)?.actions
            #expect(actions == [Action(id: id, operation: .write(power, .bool(false)))])
            let wrong = SetActionValue(home: home, actionSet: scene, id: id, value: .string("on"))
            #expect(try await probe.refusal(HubMethods.setActionValue, wrong) == "invalidValueType")
            _ = try await probe.call(HubMethods.removeAction, ActionTarget(home: home, actionSet: scene, id: id))
            #expect(probe.view.homes[home]?.actionSet(scene)?.actions == [])
            _ = try await probe.call(HubMethods.renameActionSet, Rename(home: home, id: scene, name: "Cinema"))
            #expect(probe.view.homes[home]?.actionSet(scene)?.name == "Cinema")
            _ = try await probe.call(HubMethods.removeActionSet, Target(home: home, id: scene))
            #expect(probe.view.homes[home]?.actionSet(scene) == nil)
            let builtIn = try #require(probe.view.homes[home]?.builtInActionSet(of: .sleep)).id
            let removal = Target(home: home, id: builtIn)
            #expect(try await probe.refusal(HubMethods.removeActionSet, removal) == "builtInActionSet")
        }
    }

    @Test func aTriggerIsMadeEditedEnabledAndRemoved() async throws {
        try await withFurnishedHub { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let power = try Self.power(probe, home)
            let scene = try await probe.call(HubMethods.addActionSet, AddNamed(home: home, name: "Movie Night")).id
            let id = UUID()
            let trigger = AddTrigger(home: home, id: id, name: "Evening", definition: Self.daily)
            #expect(try await probe.call(HubMethods.addTrigger, trigger).id == id)
            let twin = AddTrigger(home: home, id: id, name: "Morning", definition: Self.daily)
            #expect(try await probe.refusal(HubMethods.addTrigger, twin) == "alreadyAdded")

            let enabling = EnableTrigger(home: home, id: id, isEnabled: true)
            #expect(try await probe.refusal(HubMethods.enableTrigger, enabling) == "noActionSets")
            let use = TriggeredActionSet(home: home, trigger: id, actionSet: scene)
            _ = try await probe.call(HubMethods.addActionSetToTrigger, use)
            #expect(try await probe.refusal(HubMethods.enableTrigger, enabling) == "noActions")
            let action = AddAction(home: home, actionSet: scene, characteristic: power, value: .bool(true))
            _ = try await probe.call(HubMethods.addAction, action)
            _ = try await probe.call(HubMethods.enableTrigger, enabling)
            #expect(probe.view.homes[home]?.triggers[id: id]?.isEnabled == true)

            let hourly = TriggerEdit.recurrence(RecurrenceInterval(hours: 1))
            _ = try await probe.call(HubMethods.editTrigger, EditTrigger(home: home, id: id, edit: hourly))
            let zone = TriggerEdit.timeZone("Asia/Tokyo")
            _ = try await probe.call(HubMethods.editTrigger, EditTrigger(home: home, id: id, edit: zone))
            let schedule = TimerSchedule(
                fireDate: Date(timeIntervalSince1970: 60),
                timeZone: "Asia/Tokyo",
                recurrence: RecurrenceInterval(hours: 1)
            )
            #expect(probe.view.homes[home]?.triggers[id: id]?.definition == .timer(schedule))
            let misplaced = EditTrigger(home: home, id: id, edit: .executesOnce(true))
            #expect(try await probe.refusal(HubMethods.editTrigger, misplaced) == "invalidParameter")

            let own = try await probe.call(
                HubMethods.addOwnedActionSet,
                AddOwnedActionSet(home: home, trigger: try await disabled(id, home, probe))
            )
            #expect(probe.view.homes[home]?.triggers[id: id]?.actionSets == [scene, own.id])
            _ = try await probe.call(HubMethods.removeActionSetFromTrigger, use)
            #expect(probe.view.homes[home]?.triggers[id: id]?.actionSets == [own.id])
            _ = try await probe.call(HubMethods.renameTrigger, Rename(home: home, id: id, name: "Dusk"))
            #expect(probe.view.homes[home]?.triggers[id: id]?.name == "Dusk")
            _ = try await probe.call(HubMethods.removeTrigger, Target(home: home, id: id))
            #expect(probe.view.homes[home]?.triggers.isEmpty == true)
            #expect(probe.view.homes[home]?.actionSet(own.id) == nil)
        }
    }

    private func disabled(_ id: UUID, _ home: UUID, _ probe: RecordingHubClient) async throws -> UUID {
        _ = try await probe.call(HubMethods.enableTrigger, EnableTrigger(home: home, id: id, isEnabled: false))
        return id
    }

    @Test func anEventTriggerKeepsWhoAskedAsThePersonItMeans() async throws {
        try await withFurnishedHub { hub, home in
            let owner = try await RecordingHubClient(to: hub)
            let person = AddUser(home: home, name: "Partner", role: .administrator)
            let id = try await owner.call(HubMethods.addUser, person).id
            let partner = try await RecordingHubClient(to: hub, as: id)
            let arrival = TriggerEvent(id: UUID(), occurrence: .presence(Presence(.everyEntry, of: .caller)))
            let definition = TriggerDefinition.event(EventRule(events: [arrival]))
            let trigger = AddTrigger(home: home, name: "Welcome", definition: definition)
            let added = try await partner.call(HubMethods.addTrigger, trigger).id
            let stored = TriggerEvent(id: arrival.id, occurrence: .presence(Presence(.everyEntry, of: .users([id]))))
            let expected = TriggerDefinition.event(EventRule(events: [stored]))
            #expect(partner.view.homes[home]?.triggers[id: added]?.definition == expected)
            try await owner.until { $0.homes[home]?.triggers[id: added]?.definition == expected }
        }
    }

    @Test func eachChangeIsTheAuthorsOwnBeforeTheReplyAndNewsToEverybodyElse() async throws {
        try await withFurnishedHub { hub, home in
            let author = try await RecordingHubClient(to: hub)
            let reader = try await RecordingHubClient(to: hub)
            let power = try Self.power(author, home)
            let service = try #require(author.view.homes[home]?.identity(ofService: 10, in: power.accessory))
            let group = try await author.call(HubMethods.addServiceGroup, AddNamed(home: home, name: "Lights")).id
            let membership = ServiceGroupMembership(home: home, group: group, service: service)
            _ = try await author.call(HubMethods.addServiceToGroup, membership)
            let type = SetAssociatedType(home: home, accessory: power.accessory, iid: 20, type: HAPType.Service.fan)
            _ = try await author.call(HubMethods.setAssociatedType, type)
            let scene = try await author.call(HubMethods.addActionSet, AddNamed(home: home, name: "Movie")).id
            let action = AddAction(home: home, actionSet: scene, characteristic: power, value: .bool(true))
            _ = try await author.call(HubMethods.addAction, action)
            let trigger = AddTrigger(home: home, name: "Evening", definition: Self.daily)
            let id = try await author.call(HubMethods.addTrigger, trigger).id
            let use = TriggeredActionSet(home: home, trigger: id, actionSet: scene)
            _ = try await author.call(HubMethods.addActionSetToTrigger, use)
            _ = try await author.call(HubMethods.removeTrigger, Target(home: home, id: id))

            let verbs: [Verb] = [
                .serviceGroupAdded, .serviceGroupServiceAdded, .associatedTypeChanged, .actionSetAdded,
                .actionsChanged, .triggerAdded, .triggerUpdated, .triggerRemoved,
            ]
            #expect(author.changes.map(\.change.verb) == verbs)
            #expect(author.changes.map(\.isMine) == verbs.map { _ in true })
            guard case .reply("trigger.remove")? = author.notes.last else {
                Issue.record("the reply is not last: \(author.notes)")
                return
            }
            try await reader.until { $0.seen == author.view.seen }
            #expect(reader.changes.map(\.change.verb) == verbs)
            #expect(reader.changes.map(\.isMine) == verbs.map { _ in false })
            #expect(reader.view.homes == author.view.homes)
        }
    }
}
