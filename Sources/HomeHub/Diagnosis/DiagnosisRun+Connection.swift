import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// The steps over a separate connection.
extension DiagnosisRun {
    /// The number of addresses to try, and the time limit for each.
    private static let maximumAddresses = 3
    private static let connectionTimeout = Duration.seconds(3)
    /// The time limit for pair verify at one address.
    private static let verificationTimeout = Duration.seconds(5)
    /// The time limit for a response. Of the three requests, the first that fails stops the run.
    private static let responseTimeout = Duration.seconds(5)
    /// The time after which no further address is tried, so that a whole run takes at most 45 seconds.
    private static let latestStart = Duration.seconds(8)

    /// Connects to the first address where the accessory proves its identity.
    func connect(
        to addresses: [AccessoryAddress],
        announced: Set<AccessoryAddress>,
        _ status: AccessoryConnections.ServerStatus,
        _ builder: inout DiagnosisBuilder
    ) async {
        var unreached: [(address: AccessoryAddress, cause: UnreachableCause)] = []
        var unverified: [(address: AccessoryAddress, cause: UnreachableCause)] = []
        let start = ContinuousClock.now
        for address in addresses.prefix(Self.maximumAddresses) where start.duration(to: .now) < Self.latestStart {
            let connection: DirectConnection
            do {
                let connector = status.configuration.connector
                connection = try await .open(to: address, by: connector, timeout: Self.connectionTimeout)
            } catch {
                unreached.append((address, error))
                continue
            }
            if unverified.isEmpty { builder.pass(.connection, "\(address) accepts connections.") }
            do {
                let limit = Self.limit(connection, Self.verificationTimeout)
                defer { limit.cancel() }
                try await connection.verify(status.pairing)
            } catch {
                unverified.append((address, error))
                await connection.close()
                continue
            }
            builder.recordReached()
            builder.pass(.verification, "The hub and the accessory proved their identities.")
            await examine(connection, &builder)
            await connection.close()
            // The hub's session doesn't have to wait for its next attempt.
            status.session.update(addresses: addresses)
            return
        }
        if let first = unverified.first {
            // Only the accessory itself can report that it forgot the pairing.
            let relevant = unverified.first { $0.cause == .pairingForgotten } ?? first
            builder.fail(.verification, Self.text(unverified), [await finding(of: relevant.cause)])
        } else if let first = unreached.first {
            // Earlier addresses are tried too, but the result at an advertised one says more about the problem.
            let relevant = unreached.first { announced.contains($0.address) } ?? first
            builder.fail(.connection, Self.text(unreached), [await finding(of: relevant.cause)])
        }
    }

    private static func text(_ failures: [(address: AccessoryAddress, cause: UnreachableCause)]) -> String {
        failures.map { "\($0.address): \($0.cause.name)" }.joined(separator: ", ") + "."
    }

    private func finding(of cause: UnreachableCause) async -> AccessoryDiagnosis.Finding {
        let error = await connections.error(of: cause, at: subject.server)
        return .init(error.trouble ?? AccessoryTrouble(cause), cause.detail)
    }

    /// Abandons a connection after a time, unless the task is canceled before.
    private static func limit(_ connection: DirectConnection, _ time: Duration) -> Task<Void, Never> {
        Task {
            try? await Task.sleep(for: time)
            if !Task.isCancelled { connection.abandon() }
        }
    }

    private func examine(_ connection: DirectConnection, _ builder: inout DiagnosisBuilder) async {
        do throws(AccessoryFailure) {
            let start = ContinuousClock.now
            let attributes = try await Self.attributes(connection)
            guard let accessory = attributes.first(where: { $0.aid == subject.aid }) else {
                _ = judge(nil, &builder)
                return
            }
            let outcomes = try await Self.values(accessory, connection)
            let reading = DiagnosticRead(
                accessory: accessory,
                outcomes: outcomes,
                duration: start.duration(to: .now) / 2
            )
            guard judge(reading, &builder) else { return }
            await subscribe(reading, connection, &builder)
        } catch {
            let finding = AccessoryDiagnosis.Finding(reading: error)
            builder.fail(.reading, "No values could be read.", [finding])
        }
    }

    private static func attributes(
        _ connection: DirectConnection
    ) async throws(AccessoryFailure) -> [AccessoryAttributes] {
        let limit = limit(connection, responseTimeout)
        defer { limit.cancel() }
        return try await connection.attributes()
    }

    private static func values(
        _ accessory: AccessoryAttributes,
        _ connection: DirectConnection
    ) async throws(AccessoryFailure) -> [CharacteristicID: DiagnosticRead.Outcome] {
        let limit = limit(connection, responseTimeout)
        defer { limit.cancel() }
        let ids = DiagnosticRead.characteristics(of: accessory)
        guard !ids.isEmpty else { return [:] }
        do throws(AccessoryFailure) {
            let answer = try await connection.read(ids)
            return DiagnosticRead.outcomes(of: ids, in: answer, otherwise: .malformedAnswer("the response omits it"))
        } catch .status(let status) {
            return DiagnosticRead.outcomes(of: ids, in: [:], otherwise: .status(status))
        }
    }

    private func subscribe(
        _ reading: DiagnosticRead,
        _ connection: DirectConnection,
        _ builder: inout DiagnosisBuilder
    ) async {
        let ids = reading.notifying.prefix(DiagnosticRead.maximumCharacteristics).map(\.id)
        let limit = Self.limit(connection, Self.responseTimeout)
        defer { limit.cancel() }
        do throws(AccessoryFailure) {
            let refused = ids.isEmpty ? [] : try await connection.subscribe(ids)
            guard refused.count < max(ids.count, 1) else { throw .status(.notificationNotSupported) }
            let detail = "It accepts subscriptions. Its events can be checked once the hub is connected."
            builder.pass(.events, detail, [.init(.reconnecting)])
        } catch {
            builder.fail(.events, "It rejected the subscriptions.", [.init(.notSubscribed)])
        }
    }
}

extension AccessoryDiagnosis.Finding {
    /// Creates the finding for a failed read.
    fileprivate init(reading failure: AccessoryFailure) {
        switch failure {
        case .unreachable(let cause), .outcomeUnknown(let cause): self.init(AccessoryTrouble(cause), cause.detail)
        case .timedOut: self.init(.timedOut)
        case .refused(let httpStatus): self.init(.httpError, "HTTP \(HTTPStatus(rawValue: httpStatus))")
        case .malformedAnswer(let reason): self.init(.unreadableDatabase, reason)
        case .status(let status): self.init(.readFailed, "\(status)")
        case .pairing(let failure): self.init(.readFailed, failure.reason)
        case .stopped, .expired: self.init(.connectionLost)
        }
    }
}
