import HAP

/// A queue that runs one diagnosis at a time per accessory server, in the order of the requests.
actor DiagnosisQueue {
    private var turns = TurnQueue<DeviceID, CheckedContinuation<Bool, Never>>()

    /// Waits for the turn, and returns whether it came in time. Then call ``release(_:)``, which hands it on.
    func acquire(_ server: DeviceID, within limit: Duration) async -> Bool {
        guard !turns.acquire(server) else { return true }
        let ticket = turns.nextTicket()
        let timeout = Task {
            try await Task.sleep(for: limit)
            cancel(ticket, at: server)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { turns.append($0, as: ticket, to: server) }
    }

    /// Passes the turn on to the next diagnosis.
    func release(_ server: DeviceID) {
        turns.release(server)?.resume(returning: true)
    }

    private func cancel(_ ticket: Int, at server: DeviceID) {
        turns.remove(ticket, from: server)?.resume(returning: false)
    }
}
