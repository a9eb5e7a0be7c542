import Foundation
import HAP
import HAPCatalog
import HAPClient
import HubAPI

/// What came of reading an accessory's values, and what they say of it.
struct DiagnosticRead {
    typealias Outcome = Result<CharacteristicValue?, AccessoryFailure>

    /// The most characteristics that are read.
    static let mostCharacteristics = 48
    /// How long an answer may take before it is worth a word.
    static let patience = Duration.seconds(2)
    /// How far its clock and ours may differ.
    static let clockTolerance: TimeInterval = 300

    let accessory: AccessoryAttributes
    var outcomes: [CharacteristicID: Outcome]
    var duration: Duration

    /// What is read of an accessory: what it does rather than what it is, for a bridge knows that by heart.
    static func characteristics(of accessory: AccessoryAttributes) -> [CharacteristicID] {
        let readable = accessory.services.flatMap { service in
            service.characteristics.filter { $0.permissions.contains(.read) }.map { (service.type, $0.iid) }
        }
        let doing = readable.filter { $0.0 != .Service.accessoryInformation && $0.0 != .Service.protocolInformation }
        return (doing.isEmpty ? readable : doing).prefix(mostCharacteristics).map {
            CharacteristicID(aid: accessory.aid, iid: $0.1)
        }
    }

    /// One outcome for each characteristic that was asked for: where an answer says nothing of one, that is why it did not
    /// come. An accessory may give one iid to two characteristics.
    static func outcomes(
        of ids: [CharacteristicID],
        in answer: [CharacteristicID: Outcome],
        otherwise failure: AccessoryFailure
    ) -> [CharacteristicID: Outcome] {
        Dictionary(ids.map { ($0, answer[$0] ?? .failure(failure)) }) { first, _ in first }
    }

    /// The characteristics that tell of changes and have values to keep.
    var notifying: [(id: CharacteristicID, type: HAPType)] { Self.notifying(of: accessory) }

    /// The characteristics of an accessory that tell of changes and have values to keep.
    static func notifying(of accessory: AccessoryAttributes) -> [(id: CharacteristicID, type: HAPType)] {
        accessory.services.flatMap(\.characteristics)
            .filter { $0.permissions.contains(.notify) && $0.permissions.contains(.read) && !$0.type.isMomentary }
            .map { (CharacteristicID(aid: accessory.aid, iid: $0.iid), $0.type) }
    }

    /// What was read to have another value than was told before it was read, of what is still told so: what was told
    /// meanwhile was under way.
    ///
    /// - Parameters:
    ///   - ids: What is to be told of.
    ///   - before: What was told last when the reading began.
    ///   - told: What is told last.
    func untold(
        _ ids: [(id: CharacteristicID, type: HAPType)],
        before: [CharacteristicID: CharacteristicValue],
        told: (CharacteristicID) -> CharacteristicValue?
    ) -> [(id: CharacteristicID, detail: String)] {
        ids.compactMap { id, type in
            guard case .success(let value?)? = outcomes[id], let former = before[id], former != value,
                told(id) == former
            else { return nil }
            return (id, "\(type) is \(value), and \(former) was told last")
        }
    }

    /// How many values came. That of a button is null.
    var count: Int {
        outcomes.values.count { outcome in
            guard case .success = outcome else { return false }
            return true
        }
    }

    /// Why nothing can be had of it; nil if something can.
    var refusal: AccessoryDiagnosis.Finding? {
        guard !failures.isEmpty, count == 0 else { return nil }
        return finding(of: failures)
    }

    /// What is the matter though it answers.
    func findings(now: Date) -> [AccessoryDiagnosis.Finding] {
        var findings = failures.isEmpty || count == 0 ? [] : [finding(of: failures)]
        if duration > Self.patience {
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
        let isOut = failures.allSatisfy { [.status(.unableToPerform), .status(.timedOut)].contains($0.failure) }
        guard !isOut else { return .init(.deviceUnreachable, failures.first.map { $0.failure.status }) }
        let named = failures.prefix(4).map { "\($0.type): \($0.failure.status)" }
        let more = failures.count - named.count
        return .init(.readFailed, named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
    }

    /// What the accessory says of how it is.
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
    /// Whether a status says that there is something.
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
    /// The failure in few words.
    fileprivate var status: String {
        switch self {
        case .status(let status): "\(status)"
        case .refused(let httpStatus): "HTTP \(httpStatus)"
        case .unreachable(let cause), .outcomeUnknown(let cause): cause.name
        case .timedOut: "no answer"
        case .pairing(let failure): failure.reason
        case .malformedAnswer(let reason): reason
        case .stopped: "the hub has ended the connection"
        }
    }
}
