import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// The steps over a separate connection.
extension DiagnosisRun {
    /// The number of addresses to try, and the time limit for each.
    private static let mostAddresses = 3
    private static let connectionTime = Duration.seconds(3)
    /// The time limit for pair verify at one address.
    private static let verificationTime = Duration.seconds(5)
    /// The time limit for a response. Of the three requests, the first that fails stops the run.
    private static let answerTime = Duration.seconds(5)
    /// The time after which no further address is tried, so that a whole run takes at most 45 seconds.
    private static let lastBegin = Duration.seconds(8)

    /// Connects to the first address where the accessory proves its identity.
    func connect(
        to addresses: [AccessoryAddress],
        announced: Set<AccessoryAddress>,
        _ standing: AccessoryConnections.ServerStatus,
        _ notes: inout DiagnosisBuilder
    ) async {
        var unreached: [(address: AccessoryAddress, cause: UnreachableCause)] = []
        var unverified: [(address: AccessoryAddress, cause: UnreachableCause)] = []
        let begin = ContinuousClock.now
        for address in addresses.prefix(Self.mostAddresses) where begin.duration(to: .now) < Self.lastBegin {
            let connection: DirectConnection
            do {
                let connector = standing.configuration.connector
                connection = try await .open(to: address, by: connector, timeout: Self.connectionTime)
            } catch {
                unreached.append((address, error))
                continue
            }
            if unverified.isEmpty { notes.pass(.connection, "\(address) accepts connections.") }
            do {
                let limit = Self.limit(connection, Self.verificationTime)
                defer { limit.cancel() }
                try await connection.verify(standing.pairing)
            } catch {
                unverified.append((address, error))
                await connection.close()
                continue
            }
            notes.noteReached()
            notes.pass(.verification, "The hub and the accessory proved their identities.")
            await use(connection, &notes)
            await connection.close()
            // The hub's session doesn't have to wait for its next attempt.
            standing.session.update(addresses: addresses)
            return
        }
        if let first = unverified.first {
            // Only the accessory itself can report that it forgot the pairing.
            let telling = unverified.first { $0.cause == .pairingForgotten } ?? first
            notes.fail(.verification, Self.text(unverified), [await finding(of: telling.cause)])
        } else if let first = unreached.first {
            // Earlier addresses are tried too, but the result at an advertised one says more about the problem.
            let telling = unreached.first { announced.contains($0.address) } ?? first
            notes.fail(.connection, Self.text(unreached), [await finding(of: telling.cause)])
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

    private func use(_ connection: DirectConnection, _ notes: inout DiagnosisBuilder) async {
        do throws(AccessoryFailure) {
            let begin = ContinuousClock.now
            let attributes = try await Self.attributes(connection)
            guard let accessory = attributes.first(where: { $0.aid == subject.aid }) else {
                _ = judge(nil, &notes)
                return
            }
            let outcomes = try await Self.values(accessory, connection)
            let reading = DiagnosticRead(
                accessory: accessory,
                outcomes: outcomes,
                duration: begin.duration(to: .now) / 2
            )
            guard judge(reading, &notes) else { return }
            await subscribe(reading, connection, &notes)
        } catch {
            let finding = AccessoryDiagnosis.Finding(reading: error)
            notes.fail(.reading, "No values could be read.", [finding])
        }
    }

    private static func attributes(
        _ connection: DirectConnection
    ) async throws(AccessoryFailure) -> [AccessoryAttributes] {
        let limit = limit(connection, answerTime)
        defer { limit.cancel() }
        return try await connection.attributes()
    }

    private static func values(
        _ accessory: AccessoryAttributes,
        _ connection: DirectConnection
    ) async throws(AccessoryFailure) -> [CharacteristicID: DiagnosticRead.Outcome] {
        let limit = limit(connection, answerTime)
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
        _ notes: inout DiagnosisBuilder
    ) async {
        let ids = reading.notifying.prefix(DiagnosticRead.mostCharacteristics).map(\.id)
        let limit = Self.limit(connection, Self.answerTime)
        defer { limit.cancel() }
        do throws(AccessoryFailure) {
            let refused = ids.isEmpty ? [] : try await connection.subscribe(ids)
            guard refused.count < max(ids.count, 1) else { throw .status(.notificationNotSupported) }
            let detail = "It accepts subscriptions. Its events can be checked once the hub is connected."
            notes.pass(.events, detail, [.init(.reconnecting)])
        } catch {
            notes.fail(.events, "It rejected the subscriptions.", [.init(.notSubscribed)])
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
        case .stopped: self.init(.connectionLost)
        }
    }
}
