import Foundation
import HAPCatalog
import HomeHub
import HomeModel
import HubAPI
import Testing

/// Service groups, action sets and triggers, as clients create them.
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
        try await withPopulatedHub { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let gadget = try Self.gadget(probe, home).id
            let service = try #require(probe.view.homes[home]?.identity(ofService: 10, in: gadget))
            let id = try await probe.call(HubMethods.addServiceGroup, InHome(home, AddServiceGroup(name: "Lights"))).id
            let membership = InHome(home, AddServiceToGroup(service, group: id))
            _ = try await probe.call(HubMethods.addServiceToGroup, membership)
            #expect(probe.view.homes[home]?.serviceGroups[id: id]?.services == [service])
            #expect(try await probe.refusal(HubMethods.addServiceToGroup, membership) == "alreadyInGroup")
            _ = try await probe.call(HubMethods.renameServiceGroup, InHome(home, RenameServiceGroup(id, name: "Lamps")))
            #expect(probe.view.homes[home]?.serviceGroups[id: id]?.name == "Lamps")
            let removal = InHome(home, RemoveServiceFromGroup(service, group: id))
            _ = try await probe.call(HubMethods.removeServiceFromGroup, removal)
            #expect(probe.view.homes[home]?.serviceGroups[id: id]?.services == [])
            #expect(try await probe.refusal(HubMethods.removeServiceFromGroup, removal) == "notInGroup")
            var nowhere = membership
            nowhere.request.service.service = UUID()
            #expect(try await probe.refusal(HubMethods.addServiceToGroup, nowhere) == "notFound")
            _ = try await probe.call(HubMethods.removeServiceGroup, InHome(home, RemoveServiceGroup(id)))
            #expect(probe.view.homes[home]?.serviceGroups.isEmpty == true)
        }
    }

    @Test func aSwitchCanBeSaidToBelongToAFanAndALampCannot() async throws {
        try await withPopulatedHub { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let gadget = try Self.gadget(probe, home).id
            var request = InHome(home, SetAssociatedType(HAPType.Service.fan, accessory: gadget, iid: 20))
            _ = try await probe.call(HubMethods.setAssociatedType, request)
            #expect(try Self.gadget(probe, home).associatedTypes[20] == HAPType.Service.fan)
            request.request.type = nil
            _ = try await probe.call(HubMethods.setAssociatedType, request)
            #expect(try Self.gadget(probe, home).associatedTypes.isEmpty)
            request.request.iid = 10
            let refusal = try await probe.refusal(HubMethods.setAssociatedType, request)
            #expect(refusal == "invalidAssociatedType")
        }
    }

    @Test func aSceneIsMadeOfActionsWhoseIdentityTheClientMayChoose() async throws {
        try await withPopulatedHub { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let power = try Self.power(probe, home)
            let scene = try await probe.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Movie Night")))
                .id
            let id = UUID()
            let action = InHome(home, AddAction(id: id, power, value: .bool(true), actionSet: scene))
            #expect(try await probe.call(HubMethods.addAction, action).id == id)
            #expect(try await probe.refusal(HubMethods.addAction, action) == "actionOnSameCharacteristic")
            // A number that is a valid value of the switch is converted to the switch's own format.
            let off = InHome(home, SetActionValue(.integer(0), action: id, actionSet: scene))
            _ = try await probe.call(HubMethods.setActionValue, off)
            let actions = probe.view.homes[home]?.actionSet(scene)?.actions
            #expect(actions == [Action(id: id, operation: .write(power, .bool(false)))])
            let wrong = InHome(home, SetActionValue(.string("on"), action: id, actionSet: scene))
            #expect(try await probe.refusal(HubMethods.setActionValue, wrong) == "invalidValueType")
            _ = try await probe.call(HubMethods.removeAction, InHome(home, RemoveAction(id, actionSet: scene)))
            #expect(probe.view.homes[home]?.actionSet(scene)?.actions == [])
            _ = try await probe.call(HubMethods.renameActionSet, InHome(home, RenameActionSet(scene, name: "Cinema")))
            #expect(probe.view.homes[home]?.actionSet(scene)?.name == "Cinema")
            _ = try await probe.call(HubMethods.removeActionSet, InHome(home, RemoveActionSet(scene)))
            #expect(probe.view.homes[home]?.actionSet(scene) == nil)
            let builtIn = try #require(probe.view.homes[home]?.builtInActionSet(of: .sleep)).id
            let removal = InHome(home, RemoveActionSet(builtIn))
            #expect(try await probe.refusal(HubMethods.removeActionSet, removal) == "builtInActionSet")
        }
    }

    @Test func aTriggerIsMadeEditedEnabledAndRemoved() async throws {
        try await withPopulatedHub { hub, home in
            let probe = try await RecordingHubClient(to: hub)
            let power = try Self.power(probe, home)
            let scene = try await probe.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Movie Night")))
                .id
            let id = UUID()
            let trigger = InHome(home, AddTrigger(id: id, name: "Evening", Self.daily))
            #expect(try await probe.call(HubMethods.addTrigger, trigger).id == id)
            let twin = InHome(home, AddTrigger(id: id, name: "Morning", Self.daily))
            #expect(try await probe.refusal(HubMethods.addTrigger, twin) == "alreadyAdded")

            let enabling = InHome(home, EnableTrigger(id, true))
            #expect(try await probe.refusal(HubMethods.enableTrigger, enabling) == "noActionSets")
            let use = InHome(home, AddActionSetToTrigger(actionSet: scene, trigger: id))
            _ = try await probe.call(HubMethods.addActionSetToTrigger, use)
            #expect(try await probe.refusal(HubMethods.enableTrigger, enabling) == "noActions")
            let action = InHome(home, AddAction(power, value: .bool(true), actionSet: scene))
            _ = try await probe.call(HubMethods.addAction, action)
            _ = try await probe.call(HubMethods.enableTrigger, enabling)
            #expect(probe.view.homes[home]?.triggers[id: id]?.isEnabled == true)

            let hourly = TriggerEdit.recurrence(RecurrenceInterval(hours: 1))
            _ = try await probe.call(HubMethods.editTrigger, InHome(home, EditTrigger(id, hourly)))
            let zone = TriggerEdit.timeZone("Asia/Tokyo")
            _ = try await probe.call(HubMethods.editTrigger, InHome(home, EditTrigger(id, zone)))
            let schedule = TimerSchedule(
                fireDate: Date(timeIntervalSince1970: 60),
                timeZone: "Asia/Tokyo",
                recurrence: RecurrenceInterval(hours: 1)
            )
            #expect(probe.view.homes[home]?.triggers[id: id]?.definition == .timer(schedule))
            let misplaced = InHome(home, EditTrigger(id, .executesOnce(true)))
            #expect(try await probe.refusal(HubMethods.editTrigger, misplaced) == "invalidParameter")

            let own = try await probe.call(
                HubMethods.addOwnedActionSet,
                InHome(home, AddOwnedActionSet(trigger: try await disabled(id, home, probe)))
            )
            #expect(probe.view.homes[home]?.triggers[id: id]?.actionSets == [scene, own.id])
            let disuse = InHome(home, RemoveActionSetFromTrigger(actionSet: scene, trigger: id))
            _ = try await probe.call(HubMethods.removeActionSetFromTrigger, disuse)
            #expect(probe.view.homes[home]?.triggers[id: id]?.actionSets == [own.id])
            _ = try await probe.call(HubMethods.renameTrigger, InHome(home, RenameTrigger(id, name: "Dusk")))
            #expect(probe.view.homes[home]?.triggers[id: id]?.name == "Dusk")
            _ = try await probe.call(HubMethods.removeTrigger, InHome(home, RemoveTrigger(id)))
            #expect(probe.view.homes[home]?.triggers.isEmpty == true)
            #expect(probe.view.homes[home]?.actionSet(own.id) == nil)
        }
    }

    private func disabled(_ id: UUID, _ home: UUID, _ probe: RecordingHubClient) async throws -> UUID {
        _ = try await probe.call(HubMethods.enableTrigger, InHome(home, EnableTrigger(id, false)))
        return id
    }

    @Test func anEventTriggerKeepsWhoAskedAsThePersonItMeans() async throws {
        try await withPopulatedHub { hub, home in
            let owner = try await RecordingHubClient(to: hub)
            let person = AddHomeUser(home: home, name: "Partner", role: .administrator)
            let id = try await owner.call(HubMethods.addUser, person).id
            let partner = try await RecordingHubClient(to: hub, as: id)
            let arrival = TriggerEvent(id: UUID(), occurrence: .presence(Presence(.everyEntry, of: .caller)))
            let definition = TriggerDefinition.event(EventRule(events: [arrival]))
            let trigger = InHome(home, AddTrigger(name: "Welcome", definition))
            let added = try await partner.call(HubMethods.addTrigger, trigger).id
            let stored = TriggerEvent(id: arrival.id, occurrence: .presence(Presence(.everyEntry, of: .users([id]))))
            let expected = TriggerDefinition.event(EventRule(events: [stored]))
            #expect(partner.view.homes[home]?.triggers[id: added]?.definition == expected)
            try await owner.until { $0.homes[home]?.triggers[id: added]?.definition == expected }
        }
    }

    @Test func eachChangeIsTheAuthorsOwnBeforeTheReplyAndNewsToEverybodyElse() async throws {
        try await withPopulatedHub { hub, home in
            let author = try await RecordingHubClient(to: hub)
            let reader = try await RecordingHubClient(to: hub)
            let power = try Self.power(author, home)
            let service = try #require(author.view.homes[home]?.identity(ofService: 10, in: power.accessory))
            let group = try await author.call(HubMethods.addServiceGroup, InHome(home, AddServiceGroup(name: "Lights")))
                .id
            let membership = InHome(home, AddServiceToGroup(service, group: group))
            _ = try await author.call(HubMethods.addServiceToGroup, membership)
            let type = InHome(home, SetAssociatedType(HAPType.Service.fan, accessory: power.accessory, iid: 20))
            _ = try await author.call(HubMethods.setAssociatedType, type)
            let scene = try await author.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Movie"))).id
            let action = InHome(home, AddAction(power, value: .bool(true), actionSet: scene))
            _ = try await author.call(HubMethods.addAction, action)
            let trigger = InHome(home, AddTrigger(name: "Evening", Self.daily))
            let id = try await author.call(HubMethods.addTrigger, trigger).id
            let use = InHome(home, AddActionSetToTrigger(actionSet: scene, trigger: id))
            _ = try await author.call(HubMethods.addActionSetToTrigger, use)
            _ = try await author.call(HubMethods.removeTrigger, InHome(home, RemoveTrigger(id)))

            let verbs: [Verb] = [
                .serviceGroupAdded, .serviceGroupServiceAdded, .associatedTypeChanged, .actionSetAdded,
                .actionsChanged, .triggerAdded, .triggerUpdated, .triggerRemoved,
            ]
            #expect(author.changes.map(\.change.verb) == verbs)
            #expect(author.changes.map(\.isMine) == verbs.map { _ in true })
            guard case .reply("trigger.remove")? = author.messages.last else {
                Issue.record("the reply is not last: \(author.messages)")
                return
            }
            try await reader.until { $0.seen == author.view.seen }
            #expect(reader.changes.map(\.change.verb) == verbs)
            #expect(reader.changes.map(\.isMine) == verbs.map { _ in false })
            #expect(reader.view.homes == author.view.homes)
        }
    }
}
