import HAP
import HAPCatalog
import Synchronization
import Testing

@testable import HAPClient

struct AccessoryPairerTests {
    private struct Full: Error, Equatable {}

    private let code: SetupCode
    private let controller: ControllerIdentity

    init() throws {
        code = try SetupCode("031-45-154")
        controller = ControllerIdentity(pairingID: try #require(PairingID("CONTROLLER")), keyPair: .random())
    }

    /// Runs pair-setup with a scripted accessory, and returns the error.
    private func errorOfPairing(
        script: @escaping FakeAccessory.Script,
        beforeKeyExchange: @Sendable () async throws -> Void = {}
    ) async throws -> PairerError? {
        let accessory = try await FakeAccessory.start(answersPlain: script)
        var seen: PairerError?
        do throws(PairerError) {
            _ = try await AccessoryPairer().pair(
                at: [accessory.address],
                code: code,
                controller: controller,
                expecting: nil,
                beforeKeyExchange: beforeKeyExchange
            )
        } catch {
            seen = error
        }
        await accessory.stop()
        return seen
    }

    /// Returns the script of an honest accessory that performs other steps instead of answering a message with this
    /// State.
    private func accessory(whichAt state: UInt8, does steps: [FakeAccessory.Step]) -> FakeAccessory.Script {
        var generator = SystemRandomNumberGenerator()
        let setup = Mutex(
            PairSetupAccessory(
                identity: .random(using: &generator),
                verifier: SRPVerifier(setupCode: code),
                failedTries: 0
            )
        )
        return { request in
            if (try? TLV8(decoding: request.bytes).integer(.state)) == UInt64(state) { return steps }
            let action = setup.withLock { setup in
                var generator = SystemRandomNumberGenerator()
                return setup.handle(
                    request.bytes,
                    from: ConnectionID(rawValue: 1),
                    isPaired: false,
                    at: .now,
                    using: &generator
                )
            }
            switch action {
            case .reply(let body), .storeFailedTriesThenReply(_, let body), .storePairingThenReply(_, let body, _):
                return [.sendPlain(Wire.pairing(body))]
            case .badRequest:
                return [.send(Wire.response("400 Bad Request"))]
            case .storeFailedTriesThenReplyAndSecure:
                // There is no request for a transient setup.
                return [.close]
            }
        }
    }

    private func refusal(_ error: PairingError, state: UInt8 = 2) -> [UInt8] {
        Wire.pairing(TLV8([.init(.state, [state]), .init(.error, [UInt8(error.rawValue)])]).encoded())
    }

    @Test(arguments: [
        (PairingError.unavailable, PairingFailure.Code.alreadyPaired), (.busy, .busy), (.maxTries, .tooManyTries),
        (.unknown, .accessoryFailed), (.backoff, .mustWait), (.maxPeers, .noRoom), (.authentication, .notAuthorized),
        (PairingError(rawValue: 77), .refused),
    ])
    func aRefusalHasItsName(error: PairingError, code: PairingFailure.Code) async throws {
        let bytes = refusal(error)
        guard case .pairing(let failure)? = try await errorOfPairing(script: { _ in [.sendPlain(bytes)] }) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code == code)
        #expect(failure.accessoryError == error)
    }

    @Test func aRefusalMayComeWithAStatusThatIsNoneOfSuccess() async throws {
        let text =
            "HTTP/1.1 400 Bad Request\r\ncontent-type: Application/Pairing+TLV8; charset=utf-8\r\n"
            + "Content-Length: 6\r\n\r\n"
        let bytes = Array(text.utf8) + [6, 1, 2, 7, 1, 6]
        guard case .pairing(let failure)? = try await errorOfPairing(script: { _ in [.sendPlain(bytes)] }) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.code == .alreadyPaired)
    }

    @Test func repliesInShortFragmentsInChunksAndBehindEventsPair() async throws {
        let honest = accessory(whichAt: 0, does: [])
        let accessory = try await FakeAccessory.start(answersPlain: { request in
            guard case .sendPlain(let bytes)? = honest(request).first else { return [.close] }
            var reader = HTTPResponseReader()
            reader.receive(bytes)
            guard case .response(let response)? = try? reader.next(), let reply = try? TLV8(decoding: response.body)
            else { return [.close] }
            var body: [UInt8] = []
            for item in reply.items {
                for start in stride(from: 0, to: item.value.count, by: 100) {
                    let fragment = item.value[start..<min(start + 100, item.value.count)]
                    body += [item.type.rawValue, UInt8(fragment.count)] + fragment
                }
            }
            var wire = Array("EVENT/1.0 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
            for byte in body { wire += Array("1\r\n".utf8) + [byte] + Array("\r\n".utf8) }
            return [.sendPlain(wire + "0\r\n\r\n".utf8)]
        })
        let pairing = try await AccessoryPairer().pair(
            at: [accessory.address],
            code: code,
            controller: controller,
            expecting: nil,
            beforeKeyExchange: {}
        )
        #expect(pairing.controllerIdentity == controller)
        await accessory.stop()
    }

    @Test func whoeverCannotProveToKnowTheCodeIsAnImpostor() async throws {
        let proof = Wire.pairing(
            TLV8([.init(.state, [4]), .init(.proof, [UInt8](repeating: 5, count: 64))]).encoded()
        )
        let prepared = Mutex(false)
        let error = try await errorOfPairing(script: accessory(whichAt: 3, does: [.sendPlain(proof)])) {
            prepared.withLock { $0 = true }
        }
        guard case .pairing(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .impostor)
        #expect(!prepared.withLock { $0 })
    }

    @Test func aRefusalByHTTPAloneIsTold() async throws {
        let script: FakeAccessory.Script = { _ in [.send(Wire.response("429 Too Many Requests"))] }
        guard case .refused(httpStatus: 429)? = try await errorOfPairing(script: script) else {
            Issue.record("the status was not reported")
            return
        }
    }

    @Test(arguments: [UInt8(1), 3])
    func aLossBeforeTheKeysLeavesTheAccessoryUnpaired(state: UInt8) async throws {
        let script = accessory(whichAt: state, does: [.close])
        guard case .unreachable(.connectionLost)? = try await errorOfPairing(script: script) else {
            Issue.record("the loss was not reported")
            return
        }
    }

    @Test func aLossAfterTheKeysIsUnknown() async throws {
        let prepared = Mutex(0)
        let error = try await errorOfPairing(script: accessory(whichAt: 5, does: [.close])) {
            prepared.withLock { $0 += 1 }
        }
        guard case .outcomeUnknown? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(prepared.withLock { $0 } == 1)
    }

    @Test func aRefusalOfTheKeysIsCertain() async throws {
        let bytes = refusal(.maxPeers, state: 6)
        let error = try await errorOfPairing(script: accessory(whichAt: 5, does: [.sendPlain(bytes)]))
        guard case .pairing(let failure)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.code == .noRoom)
    }

    @Test func anAnswerToTheKeysThatIsForgedIsUnknown() async throws {
        let bytes = Wire.pairing(TLV8([.init(.state, [6]), .init(.encryptedData, [1, 2, 3])]).encoded())
        guard case .outcomeUnknown? = try await errorOfPairing(script: accessory(whichAt: 5, does: [.sendPlain(bytes)]))
        else {
            Issue.record("the forged answer was not reported")
            return
        }
    }

    @Test func ifThePairingCannotBePreparedTheKeysAreNotSent() async throws {
        let states = Mutex<[UInt64]>([])
        let honest = accessory(whichAt: 0, does: [])
        let error = try await errorOfPairing(
            script: { request in
                let state = (try? TLV8(decoding: request.bytes).integer(.state)) ?? 0
                states.withLock { $0.append(state) }
                return honest(request)
            },
            beforeKeyExchange: { throw Full() }
        )
        guard case .notPrepared(let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason as? Full == Full())
        #expect(states.withLock { $0 } == [1, 3])
    }

    @Test func cancellingEndsTheConnection() async throws {
        let asked = AsyncStream<Void>.makeStream()
        let accessory = try await FakeAccessory.start(answersPlain: { _ in
            asked.continuation.yield()
            return []
        })
        // Longer than the test, so that no timeout closes the connection.
        var patient = PairerConfiguration()
        patient.responseTimeout = .seconds(600)
        let configuration = patient
        let task = Task { [code, controller] in
            do throws(PairerError) {
                _ = try await AccessoryPairer(configuration: configuration).pair(
                    at: [accessory.address],
                    code: code,
                    controller: controller,
                    expecting: nil,
                    beforeKeyExchange: {}
                )
                return PairerError?.none
            } catch {
                return error
            }
        }
        for await _ in asked.stream { break }
        task.cancel()
        guard case .cancelled? = await task.value else {
            Issue.record("not canceled")
            return
        }
        await accessory.stop()
    }

    @Test func anAccessoryThatDoesNotAnswerIsGivenUp() async throws {
        let accessory = try await FakeAccessory.start(answersPlain: { _ in [] })
        var configuration = PairerConfiguration()
        configuration.responseTimeout = .milliseconds(50)
        let pairer = AccessoryPairer(configuration: configuration)
        await #expect {
            try await pairer.identify(at: [accessory.address])
        } throws: { error in
            if case PairerError.unreachable(.timedOut) = error { true } else { false }
        }
        await accessory.stop()
    }

    @Test func nothingIsDoneWithoutAnAddress() async throws {
        await #expect {
            try await AccessoryPairer().identify(at: [])
        } throws: { error in
            if case PairerError.unreachable(.notAdvertised) = error { true } else { false }
        }
    }

    @Test func anUnpairedAccessoryIdentifiesItselfAndAPairedOneSaysSo() async throws {
        let unpaired = try await FakeAccessory.start(answersPlain: { request in
            request.line == "POST /identify" && request.bytes.isEmpty
                ? [.send(Wire.response("204 No Content"))] : [.close]
        })
        try await AccessoryPairer().identify(at: [unpaired.address])
        await unpaired.stop()
        let paired = try await FakeAccessory.start(answersPlain: { _ in
            [.send(Wire.response("400 Bad Request", #"{"status":-70401}"#))]
        })
        await #expect {
            try await AccessoryPairer().identify(at: [paired.address])
        } throws: { error in
            if case PairerError.pairing(let failure) = error { failure.code == .alreadyPaired } else { false }
        }
        await paired.stop()
    }
}
