extension Change {
    /// Returns the first change of a log whose later state was read elsewhere, as its user saw it.
    ///
    /// What the user didn't see stays as it was: locations of other users, records of newer versions, and devices' keys for
    /// feeds. Browsers must sign in again, so they are forgotten.
    ///
    /// - Parameters:
    ///   - former: The log's state before.
    ///   - records: The later state.
    package static func recovery(of former: some Sequence<Record>, to records: some Sequence<Record>) -> Change {
        let former = former.map { ($0.recordID, $0) }
        let known = Dictionary(former, uniquingKeysWith: { _, last in last })
        var change = Change(verb: .recovered, subjects: [], effects: [])
        var kept: Set<RecordID> = []
        for record in records where !record.isBrowser {
            kept.insert(record.recordID)
            let recovered = record.completed(by: known[record.recordID])
            if recovered != known[record.recordID] { change.effects.append(.put(recovered)) }
        }
        for (id, record) in former where !kept.contains(id) {
            if case .unknown = record { continue }
            change.effects.append(.remove(id))
        }
        return change
    }
}

extension Record {
    /// Whether the record is that of a browser.
    fileprivate var isBrowser: Bool {
        if case .accountDevice(let device) = self { device.key == nil } else { false }
    }

    /// Returns the record with what its user didn't see.
    fileprivate func completed(by former: Record?) -> Record {
        switch (self, former) {
        case (.accountDevice(var device), .accountDevice(let former)?) where former.key == device.key:
            guard device.removed == nil else { return self }
            (device.box, device.relayKey) = (former.box, former.relayKey)
            return .accountDevice(device)
        case (.trigger(let trigger), .trigger(let former)?) where trigger.definition.hasHiddenParts:
            return .trigger(former)
        case (.actionSet(let actionSet), .actionSet(let former)?) where actionSet.hasHiddenParts:
            return .actionSet(former)
        default:
            return self
        }
    }
}

extension TriggerDefinition {
    /// Whether parts were left out for the user who saw it.
    fileprivate var hasHiddenParts: Bool {
        switch self {
        case .timer: false
        case .event(let rule):
            (rule.events + rule.endEvents).contains { event in
                switch event.occurrence {
                case .hiddenLocation, .unknown: true
                default: false
                }
            }
        case .unknown: true
        }
    }
}

extension ActionSetRecord {
    /// Whether parts were left out for the user who saw it.
    fileprivate var hasHiddenParts: Bool {
        actions.contains { if case .unknown = $0.operation { true } else { false } }
    }
}
