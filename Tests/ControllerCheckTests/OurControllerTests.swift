import AccessoryCheck
import DNSSD
import HAP
import HAPCatalog
import HAPClient
import Synchronization
import Testing

@testable import ControllerCheck

/// Our own client, in every scenario.
@Suite struct OurControllerTests {
    @Test(arguments: Scenario.all.filter { $0.name != "plain" }.map(\.name))
    func itPassesStrictly(_ name: String) async throws {
        let scenario = try #require(Scenario.with(name: name))
        let discovery = scenario.needsAdvertising ? TestDiscovery() : nil
        let (summary, _, transcript) = await TestRun.results(
            of: scenario,
            isPaired: !scenario.refusesPairing,
            discovery: discovery
        ) { controller in
            if scenario.refusesPairing {
                _ = try await pair(controller)
            } else {
                try await visit(controller, pairing(controller))
            }
            return .exited(0)
        }
        expectPassed(summary, transcript)
    }

    @Test func itPassesAtAGoodBridgeFromPairingToUnpairing() async throws {
        let (summary, _, transcript) = await TestRun.results(of: Scenario.all[0], isPaired: false) { controller in
            try await visit(controller, try await pair(controller))
            return .exited(0)
        }
        expectPassed(summary, transcript)
    }

    private func expectPassed(_ summary: ControllerCheckSummary, _ transcript: String) {
        #expect(summary.problem == nil)
        #expect(!summary.results.isEmpty)
        for result in summary.results where result.outcome != .passed {
            Issue.record("\(result.id): \(result.word), \(result.detail ?? "")\n\(transcript)")
        }
    }

    private func address(_ controller: ScriptedController) -> AccessoryAddress {
        AccessoryAddress(host: controller.place.host, port: controller.place.port)
    }

    private func pairing(_ controller: ScriptedController) -> AccessoryPairing {
        AccessoryPairing(
            deviceID: controller.accessory.deviceID,
            accessoryPublicKey: controller.accessory.publicKey,
            controllerIdentity: TestRun.admin
        )
    }

    private func pair(_ controller: ScriptedController) async throws -> AccessoryPairing {
        try await AccessoryPairer().pair(
            at: [address(controller)],
            code: controller.place.code,
            controller: TestRun.admin,
            expecting: controller.place.deviceID,
            beforeKeyExchange: {}
        )
    }

    /// Does what a scenario asks of a controller, as far as it gets.
    private func visit(_ controller: ScriptedController, _ pairing: AccessoryPairing) async throws {
        let events = SessionEvents()
        var configuration = SessionConfiguration()
        configuration.reconnectDelay = .milliseconds(20)...Duration.milliseconds(200)
        configuration.requestDeadline = .seconds(60)
        configuration.responseTimeout = .seconds(60)
        configuration.verifyTimeout = .seconds(60)
        configuration.rereadInterval = .zero
        let session = AccessorySession(
            pairing: pairing,
            addresses: [address(controller)],
            configuration: configuration,
            onEvent: events.receive
        )
        let listening = Task {
            guard let discovery = controller.discovery else { return }
            for await record in discovery.records {
                if let number = record["c#"].flatMap({ Int($0) }) { session.configurationDidChange(number: number) }
            }
        }
        session.start()
        defer { listening.cancel() }
        if let accessories = await events.ready(1) {
            await use(session, accessories, events)
            if ["grown", "shrunk-number"].contains(controller.place.scenario.name) {
                _ = await events.ready(2)
            }
            try? await session.removePairing()
        }
        await session.stop()
    }

    private func use(_ session: AccessorySession, _ accessories: [AccessoryAttributes], _ events: SessionEvents) async {
        var lamp = watchable(accessories)
        _ = await session.submitSubscribe(lamp.map(\.id), enabled: true).value
        // What is lost with a connection is tried again in the next one.
        for value in [true, false] {
            for index in lamp.indices where lamp[index].isPower {
                let before = events.count
                let outcome = await session.submitWrite([CharacteristicWrite(id: lamp[index].id, value: .bool(value))])
                    .value
                if case .failure = outcome.first?.result {
                    // The IDs may have changed.
                    if let accessories = await events.ready(after: before) { lamp = watchable(accessories) }
                    _ = await session.submitWrite([CharacteristicWrite(id: lamp[index].id, value: .bool(value))]).value
                }
            }
            _ = await session.submitRead(lamp.map(\.id)).value
        }
    }

    /// Returns the characteristics with events, in order, and whether each is a power that can be written.
    private func watchable(_ accessories: [AccessoryAttributes]) -> [(id: CharacteristicID, isPower: Bool)] {
        accessories.flatMap { accessory in
            accessory.services.flatMap(\.characteristics).filter { $0.permissions.contains(.notify) }.map {
                let isPower = $0.type == HAPType.Characteristic.on && $0.permissions.contains(.write)
                return (CharacteristicID(aid: accessory.aid, iid: $0.iid), isPower)
            }
        }
    }
}

/// The events of a session. It is a class because the session and the test share it.
private final class SessionEvents: Sendable {
    private struct State {
        var readies: [[AccessoryAttributes]] = []
        var refusals = 0
    }

    private let state = Mutex(State())

    /// The number of times at which the session was ready.
    var count: Int { state.withLock { $0.readies.count } }

    @Sendable func receive(_ event: AccessorySessionEvent) {
        state.withLock { state in
            switch event {
            case .ready(let accessories): state.readies.append(accessories)
            case .unreachable: state.refusals += 1
            case .values: break
            }
        }
    }

    /// Waits until the session was ready a number of times, or `nil` if it refused the accessory before that.
    func ready(_ number: Int) async -> [AccessoryAttributes]? {
        while !Task.isCancelled {
            let (ready, refusals) = state.withLock { state in
                (state.readies.count >= number ? state.readies[number - 1] : nil, state.refusals)
            }
            if let ready { return ready }
            if refusals > 0, number == 1 { return nil }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return nil
    }

    /// Waits until the session is ready again.
    func ready(after count: Int) async -> [AccessoryAttributes]? {
        await ready(count + 1)
    }
}
