import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// The walk over a connection of its own.
extension DiagnosisRun {
    /// How many addresses are tried, and how long each.
    private static let mostAddresses = 3
    private static let connectionTime = Duration.seconds(3)
    /// How long pair-verify may take at one address.
    private static let verificationTime = Duration.seconds(5)
    /// How long an answer may take. Of three that fail, the first ends the walk.
    private static let answerTime = Duration.seconds(5)
    /// After this no further address is begun with, so that all of the walk takes 45 seconds at most.
    private static let lastBegin = Duration.seconds(8)

    /// Connects to the first address where the accessory proves who it is.
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
            if unverified.isEmpty { notes.pass(.connection, "\(address) accepts it.") }
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
            notes.pass(.verification, "Both proved who they are.")
            await use(connection, &notes)
            await connection.close()
            // The hub need not wait until its next try is due.
            standing.session.update(addresses: addresses)
            return
        }
        if let first = unverified.first {
            // Nobody but the accessory itself knows what it has forgotten.
            let telling = unverified.first { $0.cause == .pairingForgotten } ?? first
            notes.fail(.verification, Self.text(unverified), [await finding(of: telling.cause)])
        } else if let first = unreached.first {
            // Where it was is tried, but where it says it is tells what is wrong.
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

    /// Gives a connection up after a time, unless it is cancelled before.
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
            notes.fail(.reading, "No values came.", [finding])
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
            return DiagnosticRead.outcomes(of: ids, in: answer, otherwise: .malformedAnswer("it was left out"))
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
            let detail = "It takes subscriptions. Whether it tells of changes shows when the hub is connected."
            notes.pass(.events, detail, [.init(.reconnecting)])
        } catch {
            notes.fail(.events, "It refused the subscriptions.", [.init(.notSubscribed)])
        }
    }
}

extension AccessoryDiagnosis.Finding {
    /// What a failure to read says of the accessory.
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
