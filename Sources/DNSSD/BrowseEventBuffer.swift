import Synchronization

/// The undelivered events of a browse. It stores, per service, the difference between the last delivered and the
/// current state.
///
/// This is a class because the ``MulticastDNS`` writes to it and the consumer reads from it.
final class BrowseEventBuffer: Sendable {
    fileprivate struct State {
        var delivered: [ServiceInstance: Service] = [:]
        var current: [ServiceInstance: Service] = [:]
        /// Services that changed since their last delivery, in the order of their first change.
        var changed: [ServiceInstance] = []
        var isQueued: Set<ServiceInstance> = []
        var reader: CheckedContinuation<BrowseEvent?, Never>?
        var isFinished = false
    }

    /// The services to deliver.
    let interest: BrowseInterest
    private let state = Mutex(State())

    init(_ interest: BrowseInterest) {
        self.interest = interest
    }

    /// Whether no more events will be delivered.
    var isFinished: Bool {
        state.withLock { $0.isFinished }
    }

    /// Updates the state of a service; `nil` if it is gone.
    func update(_ instance: ServiceInstance, to service: Service?) {
        let delivery = state.withLock { state -> (CheckedContinuation<BrowseEvent?, Never>, BrowseEvent)? in
            state.current[instance] = service
            if state.isQueued.insert(instance).inserted {
                state.changed.append(instance)
            }
            guard let reader = state.reader, let event = state.nextEvent() else { return nil }
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

    /// Waits for the next event. For one consumer at a time.
    func next() async -> BrowseEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let event = state.withLock { state -> BrowseEvent?? in
                    if state.isFinished { return .some(nil) }
                    if let event = state.nextEvent() { return event }
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
    fileprivate mutating func nextEvent() -> BrowseEvent? {
        while !changed.isEmpty {
            let instance = changed.removeFirst()
            isQueued.remove(instance)
            let (old, new) = (delivered[instance], current[instance])
            delivered[instance] = new
            switch (old, new) {
            case (nil, let new?):
                return .found(new)
            case (let old?, let new?) where old != new:
                return .changed(new)
            case (.some, nil):
                return .gone(instance)
            default:
                continue
            }
        }
        return nil
    }
}
