import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// The steps over the hub's own connection.
extension DiagnosisRun {
    /// The time that an event may take to arrive, and the interval between checks.
    private static let eventTimeout = Duration.seconds(2)
    private static let eventPollInterval = Duration.milliseconds(100)

    /// Reads over the hub's connection. Returns `false` if the connection is broken, whatever the session's state says.
    func useSession(
        _ status: AccessoryConnections.ServerStatus,
        _ attributes: [AccessoryAttributes],
        _ builder: inout DiagnosisBuilder
    ) async -> Bool {
        let accessory = attributes.first { $0.aid == subject.aid }
        var reading: DiagnosticRead?
        var reported: [CharacteristicID: CharacteristicValue] = [:]
        if let accessory {
            for (id, _) in DiagnosticRead.notifying(of: accessory) { reported[id] = lastReported(of: id) }
            let start = ContinuousClock.now
            let answers = await status.session.submitRead(DiagnosticRead.characteristics(of: accessory)).value
            guard !answers.contains(where: { $0.result.saysConnectionIsBroken }) else { return false }
            reading = DiagnosticRead(
                accessory: accessory,
                outcomes: Dictionary(answers.map { ($0.id, $0.result) }) { first, _ in first },
                duration: start.duration(to: .now)
            )
        }
        let destination = await status.session.provenAddress.map { " to \($0)" } ?? ""
        builder.recordReached()
        builder.pass(.connection, "The hub's connection\(destination) is open.")
        builder.pass(.verification, "The hub and the accessory proved their identities when the connection was opened.")
        guard judge(reading, &builder), let reading else { return true }
        await judgeEvents(reading, before: reported, status, &builder)
        return true
    }

    /// Records the result of the reading step, and returns whether the accessory could be read.
    func judge(_ reading: DiagnosticRead?, _ builder: inout DiagnosisBuilder) -> Bool {
        guard let reading else {
            builder.fail(.reading, "Its accessory server does not have it.", [.init(.missingOnBridge)])
            return false
        }
        let detail = "\(reading.count) of \(reading.outcomes.count) values were read."
        if let refusal = reading.refusal {
            builder.fail(.reading, detail, [refusal])
            return false
        }
        builder.pass(.reading, detail, reading.findings(now: now()))
        return true
    }

    private func judgeEvents(
        _ reading: DiagnosticRead,
        before reported: [CharacteristicID: CharacteristicValue],
        _ status: AccessoryConnections.ServerStatus,
        _ builder: inout DiagnosisBuilder
    ) async {
        let notifying = reading.notifying
        guard !notifying.isEmpty else { return builder.pass(.events, "It has no values that change by themselves.") }
        let subscriptions = await status.session.subscriptions
        let subscribed = notifying.filter { subscriptions.contains($0.id) }
        guard !subscribed.isEmpty else {
            return builder.fail(.events, "It rejected every subscription.", [.init(.notSubscribed)])
        }
        let last = status.sinceLastEvent.map { "the last event came \(Int($0 / .seconds(1))) s ago" }
        let values = subscribed.count == 1 ? "1 value" : "\(subscribed.count) values"
        let detail = "The hub is subscribed to \(values); \(last ?? "no event has come yet")."
        let missed = await missedChanges(of: subscribed, reading, before: reported)
        if missed.isEmpty {
            builder.pass(.events, detail)
        } else {
            builder.fail(.events, detail, [.init(.eventsLost, missed.joined(separator: ", "))])
        }
    }

    /// Returns the characteristics whose read value differs from the last reported one, and for which no event arrives
    /// in time.
    private func missedChanges(
        of subscribed: [(id: CharacteristicID, type: HAPType)],
        _ reading: DiagnosticRead,
        before reported: [CharacteristicID: CharacteristicValue]
    ) async -> [String] {
        var missed = reading.unreported(subscribed, before: reported, reported: lastReported)
        let deadline = ContinuousClock.now + Self.eventTimeout
        while !missed.isEmpty, ContinuousClock.now < deadline {
            try? await Task.sleep(for: Self.eventPollInterval)
            missed = missed.filter { lastReported(of: $0.id) == reported[$0.id] }
        }
        return missed.map(\.detail)
    }

    /// Returns the value that the accessory reported last.
    private func lastReported(of id: CharacteristicID) -> CharacteristicValue? {
        live.value(of: CharacteristicReference(accessory: subject.accessory, iid: id.iid), in: subject.home)
    }
}

extension DiagnosticRead.Outcome {
    /// Whether there is no response because of the connection, as opposed to a rejection.
    fileprivate var saysConnectionIsBroken: Bool {
        guard case .failure(let failure) = self else { return false }
        switch failure {
        case .unreachable, .timedOut, .outcomeUnknown, .stopped: return true
        case .status, .refused, .pairing, .malformedAnswer, .expired: return false
        }
    }
}
