internal import HAP
internal import HAPCatalog

extension SessionMachine {
    /// Notes what the user wants.
    mutating func subscribe(to id: CharacteristicID, _ enabled: Bool) {
        guard subscriptions.contains(id) != enabled else { return }
        if enabled { subscriptions.insert(id) } else { subscriptions.remove(id) }
        dueSubscriptions.formSymmetricDifference([id])
    }

    /// Takes what fits into one request of what is due, with what is to be told. There must be something.
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

    /// Notes what a batch tells the accessory.
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

    /// Takes the answer to a write for what it says of subscriptions.
    ///
    /// Only an answer that will be the same the next time ends one: what the accessory can't do for the moment it is
    /// asked for again on the next connection. If it refuses many at once one of them may be to blame: they are told
    /// again in two halves.
    mutating func handleSubscriptions(_ response: HTTPResponse, _ written: [CharacteristicWriteRequest.Entry]) {
        let told = written.filter { $0.events != nil }
        if let refusal = response.refusalOfWholeWrite {
            guard written.count == 1 else { return retryInHalves(told) }
            guard case .status(let status) = refusal, status.endsSubscription else { return }
            for entry in told { forget(entry.id) }
        } else {
            let answers = (try? CharacteristicWriteResponse(decoding: response.body).entries) ?? []
            let ended = Set(answers.filter { $0.status.endsSubscription }.map(\.id))
            for entry in told where entry.events == true && ended.contains(entry.id) { forget(entry.id) }
        }
    }

    private mutating func forget(_ id: CharacteristicID) {
        subscriptions.remove(id)
        dueSubscriptions.remove(id)
    }

    private mutating func retryInHalves(_ told: [CharacteristicWriteRequest.Entry]) {
        guard !told.isEmpty else { return }
        // The accessory has not taken them: what it holds is the opposite.
        for entry in told {
            if subscriptions.contains(entry.id) == entry.events {
                dueSubscriptions.insert(entry.id)
            } else {
                dueSubscriptions.remove(entry.id)
            }
        }
        let halves = told.map(\.id).chunked(by: (told.count + 1) / 2)
        subscriptionGroups += halves.reversed()
    }
}

extension HAPStatus {
    /// Whether it says of a subscription that it can't be had at all.
    fileprivate var endsSubscription: Bool {
        self == .noSuchResource || self == .notificationNotSupported || self == .insufficientPrivileges
    }
}

extension Array {
    /// The elements in pieces of this length; the last may be shorter.
    fileprivate func chunked(by length: Int) -> [[Element]] {
        stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
    }
}
