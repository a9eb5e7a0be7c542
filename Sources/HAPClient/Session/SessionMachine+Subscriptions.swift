internal import HAP
internal import HAPCatalog

extension SessionMachine {
    /// Records a requested subscription.
    mutating func subscribe(to id: CharacteristicID, _ enabled: Bool) {
        guard subscriptions.contains(id) != enabled else { return }
        if enabled { subscriptions.insert(id) } else { subscriptions.remove(id) }
        dueSubscriptions.formSymmetricDifference([id])
    }

    /// Removes and returns the due subscriptions for one request. There must be at least one.
    mutating func nextSubscriptions() -> [(id: CharacteristicID, enabled: Bool)] {
        var ids: [CharacteristicID] = []
        while ids.isEmpty, !dueSubscriptions.isEmpty {
            if subscriptionGroups.isEmpty {
                subscriptionGroups = dueSubscriptions.sorted()
                    .chunked(by: configuration.maximumCharacteristicsPerRequest).reversed()
            }
            ids = subscriptionGroups.removeLast().filter { dueSubscriptions.contains($0) }
        }
        dueSubscriptions.subtract(ids)
        return ids.map { ($0, subscriptions.contains($0)) }
    }

    /// Records the subscriptions that a batch sends to the accessory.
    mutating func recordSubscriptions(in batch: RequestBatch) {
        for case .subscribe(let id, let enabled) in batch.requests.map(\.kind) {
            if subscriptions.contains(id) == enabled {
                dueSubscriptions.remove(id)
            } else {
                dueSubscriptions.insert(id)
            }
        }
        if dueSubscriptions.isEmpty { subscriptionGroups = [] }
    }

    /// Handles the subscriptions in the response to a write.
    ///
    /// A subscription ends only if the error is permanent. After a temporary error, it is requested again on the next
    /// connection. If the accessory rejects several at once, a single one may be the cause, so they are sent again in
    /// two halves.
    mutating func handleSubscriptions(_ response: HTTPResponse, _ written: [CharacteristicWriteRequest.Entry]) {
        let sent = written.filter { $0.events != nil }
        if let refusal = response.refusalOfWholeWrite {
            guard written.count == 1 else { return retryInHalves(sent) }
            guard case .status(let status) = refusal, status.endsSubscription else { return }
            for entry in sent { forget(entry.id) }
        } else {
            let answers = (try? CharacteristicWriteResponse(decoding: response.body).entries) ?? []
            let ended = Set(answers.filter { $0.status.endsSubscription }.map(\.id))
            for entry in sent where entry.events == true && ended.contains(entry.id) { forget(entry.id) }
        }
    }

    private mutating func forget(_ id: CharacteristicID) {
        subscriptions.remove(id)
        dueSubscriptions.remove(id)
    }

    private mutating func retryInHalves(_ sent: [CharacteristicWriteRequest.Entry]) {
        guard !sent.isEmpty else { return }
        // The accessory did not apply them, so its state is the opposite.
        for entry in sent {
            if subscriptions.contains(entry.id) == entry.events {
                dueSubscriptions.insert(entry.id)
            } else {
                dueSubscriptions.remove(entry.id)
            }
        }
        let halves = sent.map(\.id).chunked(by: (sent.count + 1) / 2)
        subscriptionGroups += halves.reversed()
    }
}

extension HAPStatus {
    /// Whether the status means that a subscription is permanently impossible.
    fileprivate var endsSubscription: Bool {
        self == .noSuchResource || self == .notificationNotSupported || self == .insufficientPrivileges
    }
}

extension Array {
    /// Returns the elements in chunks of this length. The last may be shorter.
    fileprivate func chunked(by length: Int) -> [[Element]] {
        stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
    }
}
