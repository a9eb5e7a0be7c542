import Foundation
import HAP
import HAPCatalog
import PeerProcess
import Testing

@testable import HAPClient

/// Tests the client with HAP-python, a third-party accessory, in a separate process.
@Suite(.serialized) struct HAPPythonTests {
    /// A line that the bridge prints.
    private struct Report: Decodable, Sendable {
        let event: String
        let port: Int?
        let deviceID: String?
        let name: String?
        let char: String?
        let value: JSONNumber?
        let controllers: Int?
        let pid: UInt64?
        let number: Int?
    }

    /// A number or a bool, as a number.
    private struct JSONNumber: Decodable, Hashable, Sendable {
        let number: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            number = try (try? container.decode(Bool.self)).map { $0 ? 1 : 0 } ?? container.decode(Double.self)
        }
    }

    /// A bridge in a separate process, with its state in a temporary folder.
    private struct Bridge {
        let process: PeerProcess
        let folder: URL
        let address: AccessoryAddress
        let deviceID: DeviceID
        private let lamps: Int

        static let code = "482-06-913"

        /// Starts a bridge with its own state, with the given number of lamps in addition to its three devices.
        static func start(lamps: Int = 0) async throws -> Bridge {
            let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-peer-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            do {
                return try await Bridge(port: 0, folder: folder, lamps: lamps)
            } catch {
                try? FileManager.default.removeItem(at: folder)
                throw error
            }
        }

        private init(port: Int, folder: URL, lamps: Int) async throws {
            self.lamps = lamps
            self.folder = folder
            process = try PeerPython.start(
                "hap_python_bridge.py",
                [
                    "--port", "\(port)", "--code", Self.code, "--state", folder.appending(path: "state.json").path,
                    "--lamps", "\(lamps)",
                ]
            )
            let ready = try await process.json(Report.self, "the bridge's readiness") {
                $0.event == "ready"
            }
            address = AccessoryAddress(host: "127.0.0.1", port: try #require(ready.port))
            deviceID = try #require(ready.deviceID.flatMap { DeviceID($0) })
        }

        /// Restarts the bridge on the same port, with the same state.
        func restarted() async throws -> Bridge {
            try await Bridge(port: address.port, folder: folder, lamps: lamps)
        }

        func remove() async {
            await process.terminate()
            try? FileManager.default.removeItem(at: folder)
        }

        func pair(
            code: String = Bridge.code,
            as controller: ControllerIdentity? = nil,
            expecting: DeviceID? = nil
        ) async throws(PairerError) -> AccessoryPairing {
            guard let newcomer = ControllerIdentity.newcomer, let code = try? SetupCode(code) else { throw .cancelled }
            return try await AccessoryPairer().pair(
                at: [address],
                code: code,
                controller: controller ?? newcomer,
                expecting: expecting,
                beforeKeyExchange: {}
            )
        }

        /// Waits until a controller has written a value.
        func written(_ name: String, _ characteristic: String) async throws -> Double? {
            try await process.json(Report.self, "a write to \(name)") {
                $0.event == "set" && $0.name == name && $0.char == characteristic
            }.value?.number
        }
    }

    /// Runs a closure with a bridge, and removes the bridge afterwards.
    private func withBridge(lamps: Int = 0, _ body: (Bridge) async throws -> Void) async throws {
        let bridge = try await Bridge.start(lamps: lamps)
        do {
            try await body(bridge)
        } catch {
            await bridge.remove()
            throw error
        }
        await bridge.remove()
    }

    /// Runs a closure with a paired bridge and a started session.
    private func withSession(
        lamps: Int = 0,
        _ body: (Bridge, AccessorySession, EventLog) async throws -> Void
    ) async throws {
        try await withBridge(lamps: lamps) { bridge in
            let log = EventLog()
            let session = AccessorySession(
                pairing: try await bridge.pair(expecting: bridge.deviceID),
                addresses: [bridge.address],
                configuration: .forTests,
                onEvent: log.record
            )
            session.start()
            do {
                try await body(bridge, session, log)
            } catch {
                await session.stop()
                throw error
            }
            await session.stop()
        }
    }

    /// Finds a characteristic by its type.
    private func find(_ type: HAPType, in accessories: [AccessoryAttributes]) throws -> CharacteristicID {
        for accessory in accessories {
            for characteristic in accessory.services.flatMap(\.characteristics) where characteristic.type == type {
                return CharacteristicID(aid: accessory.aid, iid: characteristic.iid)
            }
        }
        throw AccessoryFailure.status(.noSuchResource)
    }

    // MARK: Pairing

    @Test func pairsAndIsKnownAfterwards() async throws {
        try await withBridge { bridge in
            let pairing = try await bridge.pair(expecting: bridge.deviceID)
            #expect(pairing.deviceID == bridge.deviceID)
            let paired = try await bridge.process.json(Report.self, "the pairing") { $0.event == "paired" }
            #expect(paired.controllers == 1)
        }
    }

    @Test func aWrongCodeIsNamedAndTheRightOneWorksAfterIt() async throws {
        try await withBridge { bridge in
            do throws(PairerError) {
                _ = try await bridge.pair(code: "482-06-914")
                Issue.record("paired with a wrong code")
            } catch {
                guard case .pairing(let failure) = error else { throw error }
                #expect(failure.code == .wrongSetupCode)
            }
            _ = try await bridge.pair()
        }
    }

    @Test func anAccessoryThatIsPairedAlreadySaysSo() async throws {
        try await withBridge { bridge in
            _ = try await bridge.pair()
            do throws(PairerError) {
                _ = try await bridge.pair()
                Issue.record("paired twice")
            } catch {
                guard case .pairing(let failure) = error else { throw error }
                #expect(failure.code == .alreadyPaired)
            }
        }
    }

    // MARK: Interrupted pairings

    @Test func aPairingWhoseEndWasLostIsWithdrawnAndCanBeMadeAgain() async throws {
        try await withBridge { bridge in
            let controller = try #require(ControllerIdentity.newcomer)
            try bridge.process.send(#"{"lose": true}"#)
            do throws(PairerError) {
                _ = try await bridge.pair(as: controller)
                Issue.record("nothing was lost")
            } catch {
                guard case .outcomeUnknown = error else { throw error }
            }
            _ = try await bridge.process.json(Report.self, "the pairing") { $0.event == "paired" }
            func withdraw(_ id: DeviceID?, excluding: Set<DeviceID> = []) async throws(PairerError) -> PairingWithdrawal
            {
                try await AccessoryPairer()
                    .withdraw(controller, from: id, excluding: excluding, at: [bridge.address])
            }
            let wrong: [(DeviceID?, Set<DeviceID>)] = [(nil, [bridge.deviceID]), (.random(), [])]
            for (id, excluded) in wrong {
                do throws(PairerError) {
                    _ = try await withdraw(id, excluding: excluded)
                    Issue.record("another accessory's pairing was withdrawn")
                } catch {
                    guard case .unreachable(.otherAccessory) = error else { throw error }
                }
            }
            #expect(try await withdraw(bridge.deviceID) == .withdrawn)
            let unpaired = try await bridge.process.json(Report.self, "the removal") { $0.event == "unpaired" }
            #expect(unpaired.controllers == 0)
            #expect(try await withdraw(bridge.deviceID) == .notHeld)
            _ = try await bridge.pair(as: controller)
        }
    }

    @Test func aPairingThatTheAccessoryNeverHadIsNotHeld() async throws {
        try await withBridge { bridge in
            let stranger = try #require(ControllerIdentity.newcomer)
            _ = try await bridge.pair()
            let outcome = try await AccessoryPairer()
                .withdraw(stranger, from: bridge.deviceID, excluding: [], at: [bridge.address])
            #expect(outcome == .notHeld)
        }
    }

    // MARK: Sessions

    @Test func oneHundredAndFortyNineAccessoriesBehindABridgeAreReadInFewRequestsAndWrittenInOne() async throws {
        try await withSession(lamps: 146) { bridge, session, log in
            let accessories = await log.ready()
            #expect(accessories.count == 150)
            let lamps = accessories.flatMap { accessory in
                accessory.services.flatMap(\.characteristics)
                    .filter { $0.type == .Characteristic.on }
                    .map { CharacteristicID(aid: accessory.aid, iid: $0.iid) }
            }
            #expect(lamps.count == 147)
            let writes = lamps.map { CharacteristicWrite(id: $0, value: .bool(true)) }
            let outcomes = await session.submitWrite(writes).value
            #expect(outcomes.filter { $0.result != .success(nil) }.isEmpty)
            _ = try await bridge.process.json(Report.self, "the writes") { $0.event == "written" }
            #expect(bridge.process.transcript.components(separatedBy: #""event": "written""#).count == 2)
            let subscribed = await session.submitSubscribe(lamps, enabled: true).value
            #expect(subscribed.filter { $0.result != .success(nil) }.isEmpty)
            let reads = await session.submitRead(lamps).value
            #expect(reads.map(\.id) == lamps)
            #expect(reads.filter { $0.result != .success(.bool(true)) }.isEmpty)
        }
    }

    @Test func anAccessoryThatIsAddedIsReadAndTheOthersKeepTheirIds() async throws {
        try await withSession { bridge, session, log in
            let before = await log.ready()
            try bridge.process.send(#"{"add": "Newcomer"}"#)
            let configured = try await bridge.process.json(Report.self, "the number") { $0.event == "configured" }
            session.configurationDidChange(number: try #require(configured.number))
            let after = await log.ready()
            #expect(Array(after.prefix(before.count)) == before)
            #expect(after.count == before.count + 1)
            let lamp = try #require(after.last)
            let on = try find(.Characteristic.on, in: [lamp])
            let outcomes = await session.submitWrite([CharacteristicWrite(id: on, value: .bool(true))]).value
            #expect(outcomes.map(\.result) == [.success(nil)])
            #expect(try await bridge.written("Newcomer", "On") == 1)
        }
    }

    @Test func anAccessoryThatIsKilledInTheMiddleOfARequestLeavesAWriteUnknownAndAReadUnreachable() async throws {
        try await withSession { bridge, session, log in
            let on = try find(.Characteristic.on, in: await log.ready())
            // The bridge receives requests and never answers.
            bridge.process.kill(SIGSTOP)
            let write = session.submitWrite([CharacteristicWrite(id: on, value: .bool(true))])
            let read = session.submitRead([on])
            // The session answers this after it has sent the write.
            #expect(await session.provenAddress == bridge.address)
            bridge.process.kill(SIGKILL)
            #expect(await write.value.map(\.result) == [.failure(.outcomeUnknown(.connectionLost))])
            guard case .failure(.unreachable)? = await read.value.first?.result else {
                Issue.record("the read did not fail")
                return
            }
            let returned = try await bridge.restarted()
            #expect(try find(.Characteristic.on, in: await log.ready()) == on)
            await returned.process.terminate()
        }
    }

    @Test func listsWhatIsBehindTheBridge() async throws {
        try await withSession { _, session, log in
            let accessories = await log.ready()
            #expect(accessories.count == 4)
            let names = try accessories.map { accessory in
                let information = try #require(
                    accessory.services.first { $0.type == .Service.accessoryInformation }
                )
                return information.characteristics.first { $0.type == .Characteristic.name }?.value
            }
            #expect(names == ["Foreign Bridge", "Lamp", "Lock", "Sensor"].map { .string($0) })
            let pairings = try await session.listPairings()
            #expect(pairings.map(\.permissions) == [.admin])
        }
    }

    @Test func readsAndWrites() async throws {
        try await withSession { bridge, session, log in
            let accessories = await log.ready()
            let on = try find(.Characteristic.on, in: accessories)
            let brightness = try find(.Characteristic.brightness, in: accessories)
            let unknown = CharacteristicID(aid: on.aid, iid: 4_000)
            let writes = await session.submitWrite([
                CharacteristicWrite(id: on, value: .bool(true)),
                CharacteristicWrite(id: brightness, value: .integer(42)),
            ]).value
            #expect(writes.map(\.result) == [.success(nil), .success(nil)])
            #expect(try await bridge.written("Lamp", "On") == 1)
            #expect(try await bridge.written("Lamp", "Brightness") == 42)
            let reads = await session.submitRead([on, unknown, brightness]).value
            #expect(reads.map(\.id) == [on, unknown, brightness])
            #expect(
                reads.map(\.result) == [
                    .success(.bool(true)), .failure(.status(.unableToPerform)), .success(.integer(42)),
                ]
            )
        }
    }

    @Test func aLockIsWrittenByATimedWrite() async throws {
        try await withSession { bridge, session, log in
            let target = try find(.Characteristic.lockTargetState, in: await log.ready())
            let outcomes = await session.submitWrite([CharacteristicWrite(id: target, value: .integer(1))]).value
            #expect(outcomes.map(\.result) == [.success(nil)])
            let prepared = try await bridge.process.json(Report.self, "the preparation") { $0.event == "prepared" }
            let written = try await bridge.process.json(Report.self, "the write") { $0.event == "written" }
            #expect(written.pid != nil)
            #expect(written.pid == prepared.pid)
            #expect(try await bridge.written("Lock", "LockTargetState") == 1)
        }
    }

    @Test func aValueThatTheAccessoryRefusesFailsAlone() async throws {
        try await withSession { _, session, log in
            let accessories = await log.ready()
            let outcomes = await session.submitWrite([
                CharacteristicWrite(id: try find(.Characteristic.lockTargetState, in: accessories), value: .integer(9)),
                CharacteristicWrite(id: try find(.Characteristic.on, in: accessories), value: .bool(true)),
            ]).value
            #expect(outcomes.map(\.result) == [.failure(.status(.unableToPerform)), .success(nil)])
        }
    }

    @Test func eventsComeOfWhatIsSubscribed() async throws {
        try await withSession { bridge, session, log in
            let temperature = try find(.Characteristic.currentTemperature, in: await log.ready())
            let outcomes = await session.submitSubscribe([temperature], enabled: true).value
            #expect(outcomes.map(\.result) == [.success(nil)])
            try bridge.process.send(#"{"set": "Sensor", "value": 21.5}"#)
            #expect(await log.values() == [temperature: .double(21.5)])
        }
    }

    @Test func comesBackAfterARestartAndSubscribesAgain() async throws {
        try await withSession { bridge, session, log in
            let temperature = try find(.Characteristic.currentTemperature, in: await log.ready())
            _ = await session.submitSubscribe([temperature], enabled: true).value
            await bridge.process.terminate()
            // The accessory may stop answering during an attempt to reconnect, before the port is closed.
            while let cause = await log.unreachable(), cause != .refused {}
            let outcomes = await session.submitRead([temperature]).value
            #expect(outcomes.map(\.result) == [.failure(.unreachable(.refused))])
            let returned = try await bridge.restarted()
            #expect(try find(.Characteristic.currentTemperature, in: await log.ready()) == temperature)
            try returned.process.send(#"{"set": "Sensor", "value": -3.5}"#)
            #expect(await log.values() == [temperature: .double(-3.5)])
            await returned.process.terminate()
        }
    }

    @Test func comesBackAfterAConnectionIsDropped() async throws {
        try await withSession { bridge, session, log in
            let accessories = await log.ready()
            try bridge.process.send(#"{"drop": true}"#)
            #expect(await log.ready() == accessories)
            let on = try find(.Characteristic.on, in: accessories)
            #expect(await session.submitRead([on]).value.map(\.result) == [.success(.bool(false))])
        }
    }

    @Test func anotherControllerIsAddedAndRemoved() async throws {
        try await withSession { bridge, session, log in
            _ = await log.ready()
            let other = ControllerIdentity(
                pairingID: try #require(PairingID(UUID().uuidString)),
                keyPair: .random()
            )
            try await session.addPairing(
                Pairing(controllerID: other.pairingID, publicKey: other.keyPair.publicKey, permissions: .user)
            )
            #expect(try await session.listPairings().count == 2)
            try await session.removePairing(of: other.pairingID)
            #expect(try await session.listPairings().count == 1)
        }
    }

    @Test func unpairsAndCanBePairedAgain() async throws {
        try await withSession { bridge, session, log in
            _ = await log.ready()
            try await session.removePairing()
            let unpaired = try await bridge.process.json(Report.self, "the removal") { $0.event == "unpaired" }
            #expect(unpaired.controllers == 0)
            _ = try await bridge.pair()
        }
    }

    @Test func anAccessoryThatWasUnpairedElsewhereIsToldApart() async throws {
        try await withSession { bridge, session, log in
            _ = await log.ready()
            let pairing = try #require(try await session.listPairings().first)
            // Add another admin, which then removes the first one.
            let other = ControllerIdentity(
                pairingID: try #require(PairingID(UUID().uuidString)),
                keyPair: .random()
            )
            try await session.addPairing(
                Pairing(controllerID: other.pairingID, publicKey: other.keyPair.publicKey, permissions: .admin)
            )
            let state = try JSONSerialization.jsonObject(
                with: Data(contentsOf: bridge.folder.appending(path: "state.json"))
            )
            let key = try #require((state as? [String: Any])?["public_key"] as? String)
            let otherPairing = AccessoryPairing(
                deviceID: bridge.deviceID,
                accessoryPublicKey: try JSONDecoder().decode(LongTermPublicKey.self, from: Data("\"\(key)\"".utf8)),
                controllerIdentity: other
            )
            let otherLog = EventLog()
            let otherSession = AccessorySession(
                pairing: otherPairing,
                addresses: [bridge.address],
                configuration: .forTests,
                onEvent: otherLog.record
            )
            otherSession.start()
            _ = await otherLog.ready()
            try await otherSession.removePairing(of: pairing.controllerID)
            await otherSession.stop()
            try bridge.process.send(#"{"drop": true}"#)
            #expect(await log.unreachable() == .pairingForgotten)
        }
    }
}

extension ControllerIdentity {
    /// A controller without pairings.
    fileprivate static var newcomer: ControllerIdentity? {
        PairingID(UUID().uuidString).map { ControllerIdentity(pairingID: $0, keyPair: .random()) }
    }
}
