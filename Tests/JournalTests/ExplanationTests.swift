import Foundation
import HAPCatalog
import HomeModel
import HubAPI
import Journal
import Testing

/// The chain of causes of an object's last change.
struct ExplanationTests {
    private let fixture: JournalFixture

    init() throws { fixture = try JournalFixture() }

    private func explained(_ entries: [JournalEntry], _ object: UUID? = nil) async throws -> [JournalEntry] {
        let journal = try await fixture.open()
        journal.record(entries)
        let chain = try await journal.explain(object ?? fixture.lamp.id, in: fixture.home)
        await journal.close()
        return chain
    }

    @Test func theChainLeadsFromTheChangeToItsFirstCause() async throws {
        let scene = JournalObject(id: UUID(), name: "Cozy")
        let trigger = JournalObject(id: UUID(), name: "Evening")
        let fired = fixture.entry(.trigger(trigger, .fired, event: nil, observations: [], due: fixture.now))
        let ran = fixture.entry(.scene(scene, actions: 1, failures: 0), parent: fired.id)
        // The values of a scene are recorded before the scene has ended.
        let lit = fixture.switched(true, previous: false, cause: Cause(kind: .scene, subject: scene.id), parent: ran.id)
        let entries = [fired, lit, ran]
        #expect(try await explained(entries) == [lit, ran, fired])
        #expect(try await explained([], scene.id) == [ran, fired])
        #expect(try await explained([], trigger.id) == [fired])
        #expect(try await explained([], UUID()).isEmpty)
    }

    @Test func aChainEndsWhereItsCauseIsNoLongerKnownOrItGoesRoundInACircle() async throws {
        let (first, second) = (UUID(), UUID())
        let lost = fixture.switched(true, parent: UUID())
        #expect(try await explained([lost]) == [lost])
        let one = fixture.switched(false, previous: true, first, parent: second)
        let two = fixture.switched(true, previous: false, second, parent: first)
        #expect(try await explained([one, two]) == [two, one])
    }

    @Test func aChainHasABound() async throws {
        var entries: [JournalEntry] = []
        for index in 0..<40 {
            entries.append(fixture.switched(index.isMultiple(of: 2), parent: entries.last?.id))
        }
        #expect(try await explained(entries) == Array(entries.suffix(16).reversed()))
    }

    @Test func aWriteThatRepeatedTheValueIsNotTheLastChange() async throws {
        let lit = fixture.switched(true, previous: false)
        let repeated = fixture.switched(true, previous: true)
        #expect(try await explained([lit, repeated]) == [lit])
    }

    @Test func aRepeatedValueIsToldIfNothingElseIsKnown() async throws {
        let repeated = fixture.switched(true, previous: true)
        #expect(try await explained([repeated]) == [repeated])
    }

    @Test func aFailedWriteIsToldIfItCameLast() async throws {
        let lit = fixture.switched(false, previous: true)
        let value = fixture.value(HAPType.Characteristic.on, .bool(true))
        let failed = fixture.entry(.failedWrite(value, HubError(.notReachable, "No answer.")), cause: .person)
        #expect(try await explained([lit, failed]) == [failed])
    }

    @Test func aStateThatFollowsACommandIsExplainedByTheCommand() async throws {
        let target = fixture.value(HAPType.Characteristic.targetDoorState, .integer(0), previous: .integer(1))
        let opening = fixture.value(HAPType.Characteristic.currentDoorState, .integer(2), previous: .integer(1))
        let open = fixture.value(HAPType.Characteristic.currentDoorState, .integer(0), previous: .integer(2))
        let command = fixture.entry(.value(target), cause: .person)
        let reports = [opening, open].map { fixture.entry(.value($0), cause: .accessory) }
        #expect(try await explained([command] + reports) == [command])

        // Minutes later, it is no longer the command's doing.
        fixture.now += 600
        let closing = fixture.value(HAPType.Characteristic.currentDoorState, .integer(3), previous: .integer(0))
        let report = fixture.entry(.value(closing), cause: .accessory)
        #expect(try await explained([report]) == [report])
    }

    @Test func ofTheValuesOfOneRunThePowerIsTheLastChange() async throws {
        let run = UUID()
        let lit = fixture.switched(true, previous: false, parent: run)
        var dimmed = fixture.switched(true, previous: false, parent: run)
        guard case .value(var value) = dimmed.content else { return }
        value.type = HAPType.Characteristic.brightness
        (value.value, value.previous) = (.integer(60), .integer(40))
        dimmed.content = .value(value)
        #expect(try await explained([lit, dimmed]) == [lit])
        (dimmed.id, dimmed.parent) = (UUID(), UUID())
        #expect(try await explained([dimmed]).first == dimmed)
    }

    @Test func aChangeAtTheDeviceIsTheLastChange() async throws {
        let lit = fixture.switched(true, previous: false)
        let outside = fixture.switched(false, previous: true, cause: .accessory)
        #expect(try await explained([lit, outside]) == [outside])
    }
}
