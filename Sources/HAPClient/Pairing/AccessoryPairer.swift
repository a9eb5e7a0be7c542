package import HAP
internal import HAPCatalog
package import NIOCore
import NIOPosix

/// Pairs with accessories, and has unpaired ones identify themselves. Nothing is tried twice: what fails is told.
package struct AccessoryPairer: Sendable {
    private let group: any EventLoopGroup
    private let configuration: PairerConfiguration

    /// Makes a pairer.
    ///
    /// - Parameter group: Where its connections run.
    package init(
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        configuration: PairerConfiguration = PairerConfiguration()
    ) {
        self.group = group
        self.configuration = configuration
    }

    /// Pairs with an accessory server by its setup code (pair-setup).
    ///
    /// - Parameters:
    ///   - addresses: Where it may be. The first that accepts a connection counts.
    ///   - code: The setup code.
    ///   - controller: Who the accessory server shall know as its admin.
    ///   - deviceID: The id that it announces, `nil` to take whoever knows the code.
    ///   - beforeKeyExchange: Runs when both sides have proved to know the code and before the accessory server is told
    ///     the controller's key: store durably that this pairing is under way. If it throws, nothing is told.
    /// - Returns: The pairing, for a session. Store it.
    package func pair(
        at addresses: [AccessoryAddress],
        code: SetupCode,
        controller: ControllerIdentity,
        expecting deviceID: DeviceID?,
        beforeKeyExchange: @Sendable () async throws -> Void
    ) async throws(PairerError) -> AccessoryPairing {
        let dialogue = try await connect(to: addresses)
        defer { dialogue.close() }
        var setup = PairSetupController(identity: controller, setupCode: code, expecting: deviceID)
        var generator = SystemRandomNumberGenerator()
        let m5: [UInt8]
        do {
            let m2 = try await ask(dialogue, .pairSetup, setup.start())
            // On the task's thread: this exponentiates, which no event loop should wait for.
            let m3 = try setup.handleM2(m2, using: &generator)
            m5 = try setup.handleM4(try await ask(dialogue, .pairSetup, m3))
        } catch {
            throw PairerError(beforeKeys: error)
        }
        do {
            try await beforeKeyExchange()
        } catch {
            throw .notPrepared(error)
        }
        guard !Task.isCancelled else { throw .cancelled }
        do {
            let accessory = try setup.handleM6(try await ask(dialogue, .pairSetup, m5))
            return AccessoryPairing(
                deviceID: accessory.deviceID,
                accessoryPublicKey: accessory.publicKey,
                controllerIdentity: controller
            )
        } catch {
            throw PairerError(afterKeys: error)
        }
    }

    /// Has an accessory server that is not paired yet draw attention to itself.
    package func identify(at addresses: [AccessoryAddress]) async throws(PairerError) {
        let dialogue = try await connect(to: addresses)
        defer { dialogue.close() }
        let request = HTTPRequest(.post, HAPEndpoint.identify.path, host: dialogue.host)
        let response: HTTPResponse
        do {
            response = try await dialogue.ask(request)
        } catch {
            throw PairerError(beforeKeys: error)
        }
        switch response.refusal {
        case nil:
            return
        case .status(.insufficientPrivileges):
            let reason = "the accessory identifies itself by this way only while it is not paired"
            throw .pairing(PairingFailure(.alreadyPaired, reason: reason))
        case .some:
            throw .refused(httpStatus: response.status.rawValue)
        }
    }

    func connect(to addresses: [AccessoryAddress]) async throws(PairerError) -> PairingConnection {
        do {
            return try await PairingConnection(with: addresses, configuration: configuration, on: group.next())
        } catch {
            throw PairerError(beforeKeys: error)
        }
    }

    /// Posts a pairing message and gives the body of the answer.
    func ask(
        _ dialogue: PairingConnection,
        _ endpoint: HAPEndpoint,
        _ message: [UInt8]
    ) async throws -> [UInt8] {
        let request = HTTPRequest(
            .post,
            endpoint.path,
            host: dialogue.host,
            contentType: HAPContentType.pairing,
            body: message
        )
        let response = try await dialogue.ask(request)
        guard response.status == .ok || response.isPairingMessage else {
            throw PairerError.refused(httpStatus: response.status.rawValue)
        }
        return response.body
    }
}

extension PairerError {
    /// What an error of a step means while the accessory does not know the controller's key.
    init(beforeKeys error: any Error) {
        switch error {
        case let error as PairerError: self = error
        case let failure as PairingFailure: self = .pairing(failure)
        case _ where Task.isCancelled: self = .cancelled
        default: self = .unreachable(UnreachableCause(error))
        }
    }

    /// What an error means once the accessory may know the controller's key: only its own refusal is certain.
    init(afterKeys error: any Error) {
        switch error {
        case let failure as PairingFailure:
            self = failure.accessoryError == nil ? .outcomeUnknown(failure.reason) : .pairing(failure)
        case PairerError.refused(let httpStatus):
            self = .refused(httpStatus: httpStatus)
        default:
            self = .outcomeUnknown(UnreachableCause(error).description)
        }
    }
}
