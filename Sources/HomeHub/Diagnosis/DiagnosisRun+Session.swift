import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// The steps over the hub's own connection.
extension DiagnosisRun {
    /// The time that an event may take to arrive, and the interval between checks.
    private static let eventTime = Duration.seconds(2)
    private static let eventLook = Duration.milliseconds(100)

    /// Reads over the hub's connection. Returns `false` if the connection is broken, whatever the session's state says.
    func useSession(
        _ standing: AccessoryConnections.ServerStatus,
        _ attributes: [AccessoryAttributes],
        _ notes: inout DiagnosisBuilder
    ) async -> Bool {
        let accessory = attributes.first { $0.aid == subject.aid }
        var reading: DiagnosticRead?
        var told: [CharacteristicID: CharacteristicValue] = [:]
        if let accessory {
            for (id, _) in DiagnosticRead.notifying(of: accessory) { told[id] = toldLast(of: id) }
            let begin = ContinuousClock.now
            let answers = await standing.session.submitRead(DiagnosticRead.characteristics(of: accessory)).value
            guard !answers.contains(where: { $0.result.saysConnectionIsBroken }) else { return false }
            reading = DiagnosticRead(
                accessory: accessory,
                outcomes: Dictionary(answers.map { ($0.id, $0.result) }) { first, _ in first },
                duration: begin.duration(to: .now)
            )
        }
        let place = await standing.session.provenAddress.map { " to \($0)" } ?? ""
        notes.noteReached()
        notes.pass(.connection, "The hub's connection\(place) is open.")
        notes.pass(.verification, "The hub and the accessory proved their identities when the connection was opened.")
        guard judge(reading, &notes), let reading else { return true }
        await judgeEvents(reading, before: told, standing, &notes)
        return true
    }

    /// Records the result of the reading step, and returns whether the accessory could be read.
    func judge(_ reading: DiagnosticRead?, _ notes: inout DiagnosisBuilder) -> Bool {
        guard let reading else {
            notes.fail(.reading, "Its accessory server does not have it.", [.init(.missingOnBridge)])
            return false
        }
        let detail = "\(reading.count) of \(reading.outcomes.count) values were read."
        if let refusal = reading.refusal {
            notes.fail(.reading, detail, [refusal])
            return false
        }
        notes.pass(.reading, detail, reading.findings(now: now()))
        return true
    }

    private func judgeEvents(
        _ reading: DiagnosticRead,
        before told: [CharacteristicID: CharacteristicValue],
        _ standing: AccessoryConnections.ServerStatus,
        _ notes: inout DiagnosisBuilder
    ) async {
        let notifying = reading.notifying
        guard !notifying.isEmpty else { return notes.pass(.events, "It has no values that change by themselves.") }
        let subscriptions = await standing.session.subscriptions
        let heard = notifying.filter { subscriptions.contains($0.id) }
        guard !heard.isEmpty else {
            return notes.fail(.events, "It rejected every subscription.", [.init(.notSubscribed)])
        }
        let last = standing.sinceLastEvent.map { "the last event came \(Int($0 / .seconds(1))) s ago" }
        let changes = heard.count == 1 ? "1 value" : "\(heard.count) values"
        let detail = "The hub is subscribed to \(changes); \(last ?? "no event has come yet")."
        let missed = await missedChanges(of: heard, reading, before: told)
        if missed.isEmpty {
            notes.pass(.events, detail)
        } else {
            notes.fail(.events, detail, [.init(.eventsLost, missed.joined(separator: ", "))])
        }
    }

    /// Returns the characteristics whose read value differs from the last reported one, and for which no event arrives
    /// in time.
    private func missedChanges(
        of heard: [(id: CharacteristicID, type: HAPType)],
        _ reading: DiagnosticRead,
        before told: [CharacteristicID: CharacteristicValue]
    ) async -> [String] {
        var open = reading.untold(heard, before: told, told: toldLast)
        let deadline = ContinuousClock.now + Self.eventTime
        while !open.isEmpty, ContinuousClock.now < deadline {
            try? await Task.sleep(for: Self.eventLook)
            open = open.filter { toldLast(of: $0.id) == told[$0.id] }
        }
        return open.map(\.detail)
    }

    /// Returns the value that the accessory reported last.
    private func toldLast(of id: CharacteristicID) -> CharacteristicValue? {
        live.value(of: CharacteristicReference(accessory: subject.accessory, iid: id.iid), in: subject.home)
    }
}

extension DiagnosticRead.Outcome {
    /// Whether there is no response because of the connection, as opposed to a rejection.
    fileprivate var saysConnectionIsBroken: Bool {
        guard case .failure(let failure) = self else { return false }
        switch failure {
        case .unreachable, .timedOut, .outcomeUnknown, .stopped: return true
        case .status, .refused, .pairing, .malformedAnswer: return false
        }
    }
}
