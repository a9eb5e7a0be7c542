import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// The result of reading an accessory's values, and the problems that the values show.
struct DiagnosticRead {
    typealias Outcome = Result<CharacteristicValue?, AccessoryFailure>

    /// The maximum number of characteristics to read.
    static let maximumCharacteristics = 48
    /// The response time from which the accessory counts as slow.
    static let slowThreshold = Duration.seconds(2)
    /// The tolerated difference between the accessory's clock and this machine's, in seconds.
    static let clockTolerance: TimeInterval = 300

    let accessory: AccessoryAttributes
    var outcomes: [CharacteristicID: Outcome]
    var duration: Duration

    /// Returns the characteristics to read. They show what the accessory does, not what it is, because a bridge answers
    /// the latter from memory.
    static func characteristics(of accessory: AccessoryAttributes) -> [CharacteristicID] {
        let readable = accessory.services.flatMap { service in
            service.characteristics.filter { $0.permissions.contains(.read) }.map { (service.type, $0.iid) }
        }
        let functional = readable.filter {
            $0.0 != .Service.accessoryInformation && $0.0 != .Service.protocolInformation
        }
        return (functional.isEmpty ? readable : functional).prefix(maximumCharacteristics).map {
            CharacteristicID(aid: accessory.aid, iid: $0.1)
        }
    }

    /// Returns one outcome for each requested characteristic. If the response omits one, its outcome is `failure`. An
    /// accessory may use an instance ID twice.
    static func outcomes(
        of ids: [CharacteristicID],
        in answer: [CharacteristicID: Outcome],
        otherwise failure: AccessoryFailure
    ) -> [CharacteristicID: Outcome] {
        Dictionary(ids.map { ($0, answer[$0] ?? .failure(failure)) }) { first, _ in first }
    }

    /// The characteristics that send events and have lasting values.
    var notifying: [(id: CharacteristicID, type: HAPType)] { Self.notifying(of: accessory) }

    /// Returns the characteristics of an accessory that send events and have lasting values.
    static func notifying(of accessory: AccessoryAttributes) -> [(id: CharacteristicID, type: HAPType)] {
        accessory.services.flatMap(\.characteristics)
            .filter { $0.permissions.contains(.notify) && $0.permissions.contains(.read) && !$0.type.isMomentary }
            .map { (CharacteristicID(aid: accessory.aid, iid: $0.iid), $0.type) }
    }

    /// Returns the characteristics whose read value differs from the one that was reported before and still is. A value
    /// that was reported during the read isn't counted: its event was on its way.
    ///
    /// - Parameters:
    ///   - ids: The characteristics that the hub is subscribed to.
    ///   - before: The values that were last reported when the read began.
    ///   - reported: A closure that returns the value that was last reported by now.
    func unreported(
        _ ids: [(id: CharacteristicID, type: HAPType)],
        before: [CharacteristicID: CharacteristicValue],
        reported: (CharacteristicID) -> CharacteristicValue?
    ) -> [(id: CharacteristicID, detail: String)] {
        ids.compactMap { id, type in
            guard case .success(let value?)? = outcomes[id], let previous = before[id], previous != value,
                reported(id) == previous
            else { return nil }
            return (id, "\(type) is \(value), but \(previous) was reported last")
        }
    }

    /// The number of values that were read. A button's value is null.
    var count: Int {
        outcomes.values.count { outcome in
            guard case .success = outcome else { return false }
            return true
        }
    }

    /// Why no value could be read; `nil` if at least one was.
    var refusal: AccessoryDiagnosis.Finding? {
        guard !failures.isEmpty, count == 0 else { return nil }
        return finding(of: failures)
    }

    /// Returns the problems of an accessory that responds.
    func findings(now: Date) -> [AccessoryDiagnosis.Finding] {
        var findings = failures.isEmpty || count == 0 ? [] : [finding(of: failures)]
        if duration > Self.slowThreshold {
            let tenths = (duration / .milliseconds(100)).rounded() / 10
            findings.append(.init(.slow, "\(tenths) s"))
        }
        return findings + states(now: now)
    }

    private var failures: [(type: HAPType, failure: AccessoryFailure)] {
        types.compactMap { id, type in
            guard case .failure(let failure) = outcomes[id] else { return nil }
            return (type, failure)
        }
    }

    private func finding(of failures: [(type: HAPType, failure: AccessoryFailure)]) -> AccessoryDiagnosis.Finding {
        let isDeviceUnreachable = failures.allSatisfy {
            [.status(.unableToPerform), .status(.timedOut)].contains($0.failure)
        }
        guard !isDeviceUnreachable else { return .init(.deviceUnreachable, failures.first.map { $0.failure.status }) }
        let named = failures.prefix(4).map { "\($0.type): \($0.failure.status)" }
        let more = failures.count - named.count
        return .init(.readFailed, named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
    }

    /// Returns the problems that the accessory itself reports.
    private func states(now: Date) -> [AccessoryDiagnosis.Finding] {
        var findings: [AccessoryDiagnosis.Finding] = []
        if values(.Characteristic.statusLowBattery).contains(where: \.isSet) {
            let level = values(.Characteristic.batteryLevel).first.map { "\($0) %" }
            findings.append(.init(.batteryLow, level))
        }
        if let fault = values(.Characteristic.statusFault).first(where: \.isSet) {
            findings.append(.init(.faultReported, "StatusFault is \(fault)"))
        }
        if values(.Characteristic.statusTampered).contains(where: \.isSet) { findings.append(.init(.tampered)) }
        for case .string(let text) in values(.Characteristic.currentTime) {
            guard let time = try? Date(text, strategy: .iso8601) else { continue }
            if abs(time.timeIntervalSince(now)) > Self.clockTolerance {
                findings.append(.init(.clockWrong, "\(text), and \(now.formatted(.iso8601))"))
            }
        }
        return findings
    }

    private func values(_ type: HAPType) -> [CharacteristicValue] {
        types.filter { $0.type == type }.compactMap { id, _ in
            guard case .success(let value?)? = outcomes[id] else { return nil }
            return value
        }
    }

    /// The characteristics in the accessory's order.
    private var types: [(id: CharacteristicID, type: HAPType)] {
        accessory.services.flatMap(\.characteristics).map {
            (CharacteristicID(aid: accessory.aid, iid: $0.iid), $0.type)
        }
    }
}

extension CharacteristicValue {
    /// Whether a status characteristic reports a condition.
    fileprivate var isSet: Bool {
        switch self {
        case .bool(let value): value
        case .integer(let value): value != 0
        case .unsigned(let value): value != 0
        case .double(let value): value != 0
        case .string, .data: false
        }
    }
}

extension AccessoryFailure {
    /// The failure in a few words.
    fileprivate var status: String {
        switch self {
        case .status(let status): "\(status)"
        case .refused(let httpStatus): "HTTP \(httpStatus)"
        case .unreachable(let cause), .outcomeUnknown(let cause): cause.name
        case .timedOut: "no answer"
        case .pairing(let failure): failure.reason
        case .malformedAnswer(let reason): reason
        case .stopped: "the hub has closed the connection"
        case .expired: "too late"
        }
    }
}
