import HAP
import HAPCatalog
import Synchronization
import Testing

@testable import HAPClient

/// Tests how an admin adds another controller's pairing to accessories, some of which misbehave.
struct AddPairingTests {
    private struct Full: Error {}

    private let newcomer: ControllerIdentity

    init() throws {
        newcomer = ControllerIdentity(pairingID: try #require(PairingID("NEWCOMER")), keyPair: .random())
    }

    /// Adds a pairing to an accessory that answers `/pairings` with these steps, and returns the error.
    private func refusal(
        _ steps: [FakeAccessory.Step],
        beforeKeyExchange: @Sendable () async throws -> Void = {}
    ) async throws -> (error: PairerError?, requests: Int) {
        let accessory = try await FakeAccessory.start(script: { _ in steps })
        var seen: PairerError?
        do throws(PairerError) {
            _ = try await AccessoryPairer().addPairing(
                newcomer,
                by: accessory.pairing,
                at: [accessory.address],
                beforeKeyExchange: beforeKeyExchange
            )
        } catch {
            seen = error
        }
        let count = accessory.requests.count
        await accessory.stop()
        return (seen, count)
    }

    private static func refusal(_ error: PairingError) -> [FakeAccessory.Step] {
        [.sendBytes(Wire.pairing(PairingsResponse.refused(error).encoded()))]
    }

    @Test func theAccessoryIsToldTheNewcomerAsAnAdminAfterTheNoteWasMade() async throws {
        let steps = Mutex<[String]>([])
        let accessory = try await FakeAccessory.start(script: { _ in
            steps.withLock { $0.append("told") }
            return [.sendBytes(Wire.pairing(PairingsResponse.done.encoded()))]
        })
        let pairing = try await AccessoryPairer().addPairing(
            newcomer,
            by: accessory.pairing,
            at: [accessory.address]
        ) {
            steps.withLock { $0.append("noted") }
        }
        let order = steps.withLock { $0 }
        #expect(order == ["noted", "told"])
        #expect(pairing.deviceID == accessory.pairing.deviceID)
        #expect(pairing.accessoryPublicKey == accessory.pairing.accessoryPublicKey)
        #expect(pairing.controllerIdentity == newcomer)
        let request = try #require(accessory.requests.first)
        #expect(request.line == "POST /pairings")
        let told = Pairing(
            controllerID: newcomer.pairingID,
            publicKey: newcomer.keyPair.publicKey,
            permissions: .admin
        )
        #expect(try PairingsRequest(decoding: request.bytes) == .add(told))
        await accessory.stop()
    }

    @Test func nothingIsToldIfTheNoteCannotBeMade() async throws {
        let (error, requests) = try await refusal([]) { throw Full() }
        guard case .notPrepared(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason is Full)
        #expect(requests == 0)
    }

    @Test(arguments: [
        (PairingError.authentication, PairingFailure.Code.notAuthorized), (.maxPeers, .noRoom), (.busy, .busy),
        (.unknown, .accessoryFailed), (PairingError(rawValue: 77), .refused),
    ])
    func aRefusalIsTold(error: PairingError, code: PairingFailure.Code) async throws {
        guard case .pairing(let failure) = try await refusal(Self.refusal(error)).error else {
            Issue.record("no refusal")
            return
        }
        #expect(failure.code == code)
        #expect(failure.accessoryError == error)
    }

    @Test(arguments: [
        [FakeAccessory.Step.close],
        [.sendBytes(Array(Wire.pairing([6, 1, 2]).dropLast(2))), .close],
        [.sendBytes(Wire.pairing([]))],
        [.sendBytes(Wire.pairing([6, 1, 4]))],
        [.sendBytes(Wire.pairing([1, 2, 3]))],
        [.sendPlain(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))],
    ])
    func anAnswerThatIsLostOrMakesNoSenseLeavesItOpenWhetherTheAccessoryKnows(steps: [FakeAccessory.Step]) async throws
    {
        let error = try await refusal(steps).error
        guard case .outcomeUnknown = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aStatusOfHTTPIsARefusal() async throws {
        let error = try await refusal([.send(Wire.response("400 Bad Request"))]).error
        guard case .refused(let status) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(status == 400)
    }

    @Test func anAccessoryWithAnotherKeyOrIdIsToldNothing() async throws {
        let accessory = try await FakeAccessory.start(script: { _ in [] })
        let honest = accessory.pairing
        func cause(_ deviceID: DeviceID, _ key: LongTermPublicKey) async throws -> UnreachableCause? {
            let admin = AccessoryPairing(
                deviceID: deviceID,
                accessoryPublicKey: key,
                controllerIdentity: honest.controllerIdentity
            )
            do throws(PairerError) {
                _ = try await AccessoryPairer().addPairing(newcomer, by: admin, at: [accessory.address]) {
                    Issue.record("something was recorded")
                }
            } catch {
                if case .unreachable(let cause) = error { return cause }
            }
            return nil
        }
        let other = LongTermKeyPair.random().publicKey
        #expect(try await cause(honest.deviceID, other) == .identityChanged)
        #expect(try await cause(.random(), honest.accessoryPublicKey) == .otherAccessory)
        accessory.forgetPairings()
        #expect(try await cause(honest.deviceID, honest.accessoryPublicKey) == .pairingForgotten)
        #expect(accessory.requests.isEmpty)
        await accessory.stop()
    }

    @Test func anAdminIsToldWhomTheAccessoryKnows() async throws {
        let known = [
            Pairing(controllerID: newcomer.pairingID, publicKey: newcomer.keyPair.publicKey, permissions: .user)
        ]
        let accessory = try await FakeAccessory.start(script: { request in
            guard (try? PairingsRequest(decoding: request.bytes)) == .list else { return [.close] }
            return [.sendBytes(Wire.pairing(PairingsResponse.list(known).encoded()))]
        })
        let told = try await AccessoryPairer().listPairings(as: accessory.pairing, at: [accessory.address])
        #expect(told == known)
        await accessory.stop()
    }

    @Test func anAdminHasAControllerForgotten() async throws {
        let accessory = try await FakeAccessory.start(script: { _ in
            [.sendBytes(Wire.pairing(PairingsResponse.done.encoded()))]
        })
        try await AccessoryPairer().removePairing(newcomer.pairingID, by: accessory.pairing, at: [accessory.address])
        let request = try #require(accessory.requests.first)
        #expect(try PairingsRequest(decoding: request.bytes) == .remove(newcomer.pairingID))
        await accessory.stop()
    }

    @Test func aControllerThatIsNotForgottenIsTold() async throws {
        let accessory = try await FakeAccessory.start(script: { _ in Self.refusal(.authentication) })
        let error = await #expect(throws: PairerError.self) {
            try await AccessoryPairer().removePairing(
                newcomer.pairingID,
                by: accessory.pairing,
                at: [accessory.address]
            )
        }
        guard case .pairing(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .notAuthorized)
        await accessory.stop()
    }
}
