import Synchronization

/// What a browse has still to deliver: per service the difference between what its consumer was told and what is true.
///
/// A class, because the ``MulticastDNS`` writes and the consumer reads.
final class BrowseEventBuffer: Sendable {
    fileprivate struct State {
        var told: [ServiceInstance: Service] = [:]
        var present: [ServiceInstance: Service] = [:]
        /// Services that changed since they were told of, in the order of their first change.
        var changed: [ServiceInstance] = []
        var isQueued: Set<ServiceInstance> = []
        var reader: CheckedContinuation<BrowseEvent?, Never>?
        var isFinished = false
    }

    /// What is browsed.
    let interest: BrowseInterest
    private let state = Mutex(State())

    init(_ interest: BrowseInterest) {
        self.interest = interest
    }

    /// Whether nothing will be delivered any more.
    var isFinished: Bool {
        state.withLock { $0.isFinished }
    }

    /// Notes what is true of a service; `nil` if it is not there.
    func update(_ instance: ServiceInstance, to service: Service?) {
        let delivery = state.withLock { state -> (CheckedContinuation<BrowseEvent?, Never>, BrowseEvent)? in
            state.present[instance] = service
            if state.isQueued.insert(instance).inserted {
                state.changed.append(instance)
            }
            guard let reader = state.reader, let event = state.takeEvent() else { return nil }
            state.reader = nil
            return (reader, event)
        }
        delivery?.0.resume(returning: delivery?.1)
    }

    /// Ends the delivery.
    func finish() {
        let reader = state.withLock { state in
            state.isFinished = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(returning: nil)
    }

    /// Waits for the next difference. For one consumer at a time.
    func next() async -> BrowseEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let event = state.withLock { state -> BrowseEvent?? in
                    if state.isFinished { return .some(nil) }
                    if let event = state.takeEvent() { return event }
                    state.reader = continuation
                    return nil
                }
                if let event {
                    continuation.resume(returning: event)
                }
            }
        } onCancel: {
            finish()
        }
    }
}

extension BrowseEventBuffer.State {
    fileprivate mutating func takeEvent() -> BrowseEvent? {
        while !changed.isEmpty {
            let instance = changed.removeFirst()
            isQueued.remove(instance)
            let (former, current) = (told[instance], present[instance])
            told[instance] = current
            switch (former, current) {
            case (nil, let current?):
                return .found(current)
            case (let former?, let current?) where former != current:
                return .changed(current)
            case (.some, nil):
                return .gone(instance)
            default:
                continue
            }
        }
        return nil
    }
}
