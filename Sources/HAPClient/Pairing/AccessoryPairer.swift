package import HAP
internal import HAPCatalog
package import NIOCore
import NIOPosix

/// Pairs with accessories, and identifies unpaired ones. Nothing is retried.
package struct AccessoryPairer: Sendable {
    private let group: any EventLoopGroup
    private let configuration: PairerConfiguration

    /// Creates a pairer.
    ///
    /// - Parameter group: The event loops of its connections.
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
    ///   - addresses: The addresses that it may have. The first that accepts a connection counts.
    ///   - code: The setup code.
    ///   - controller: The controller that becomes the accessory server's admin.
    ///   - deviceID: The ID that the accessory server advertises, or `nil` to accept any that knows the code.
    ///   - beforeKeyExchange: A closure that runs when both sides have proved that they know the code, and before the
    ///     accessory server receives the controller's key. Store durably that this pairing is in progress. If it throws,
    ///     nothing is sent.
    /// - Returns: The pairing, for a session. Store it.
    package func pair(
        at addresses: [AccessoryAddress],
        code: SetupCode,
        controller: ControllerIdentity,
        expecting deviceID: DeviceID?,
        beforeKeyExchange: @Sendable () async throws -> Void
    ) async throws(PairerError) -> AccessoryPairing {
        let connection = try await connect(to: addresses)
        defer { connection.abandon() }
        return try await connection.pair(
            code: code,
            controller: controller,
            expecting: deviceID,
            beforeKeyExchange: beforeKeyExchange
        )
    }

    /// Asks an unpaired accessory server to identify itself.
    package func identify(at addresses: [AccessoryAddress]) async throws(PairerError) {
        let connection = try await connect(to: addresses)
        defer { connection.abandon() }
        let request = HTTPRequest(.post, HAPEndpoint.identify.path, host: connection.host)
        let response: HTTPResponse
        do {
            response = try await connection.ask(request)
        } catch {
            throw PairerError(beforeKeys: error)
        }
        switch response.refusal {
        case nil:
            return
        case .status(.insufficientPrivileges):
            let reason = "the accessory accepts this identify request only while it isn't paired"
            throw .pairing(PairingFailure(.alreadyPaired, reason: reason))
        case .some:
            throw .refused(httpStatus: response.status.rawValue)
        }
    }

    /// Connects to the first address that accepts a connection.
    func connect(to addresses: [AccessoryAddress]) async throws(PairerError) -> DirectConnection {
        do {
            return try await DirectConnection.open(
                toFirstOf: addresses,
                by: configuration.connector,
                timeout: configuration.connectTimeout,
                responseTimeout: configuration.responseTimeout,
                limits: .pairing,
                on: group.next()
            )
        } catch {
            throw PairerError(beforeKeys: error)
        }
    }

    /// Connects, and verifies a pairing.
    func verified(
        _ pairing: AccessoryPairing,
        at addresses: [AccessoryAddress]
    ) async throws(PairerError) -> DirectConnection {
        let connection = try await connect(to: addresses)
        do {
            try await connection.verify(pairing)
            return connection
        } catch {
            connection.abandon()
            throw PairerError(beforeKeys: error)
        }
    }
}

extension PairerError {
    /// Runs the closure that prepares the key exchange.
    static func prepare(_ beforeKeyExchange: @Sendable () async throws -> Void) async throws(PairerError) {
        do {
            try await beforeKeyExchange()
        } catch {
            throw .notPrepared(error)
        }
        guard !Task.isCancelled else { throw .cancelled }
    }

    /// Creates the error of a step while the accessory doesn't know the controller's key.
    init(beforeKeys error: any Error) {
        switch error {
        case let error as PairerError: self = error
        case let failure as PairingFailure: self = .pairing(failure)
        case _ where Task.isCancelled: self = .cancelled
        default: self = .unreachable(UnreachableCause(error))
        }
    }

    /// Creates the error of a step once the accessory may know the controller's key. Unless the accessory refused, the
    /// outcome is unknown.
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
