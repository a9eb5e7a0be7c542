import HAP

/// A queue that runs one diagnosis at a time per accessory server, in the order of the requests.
actor DiagnosisQueue {
    private struct Waiter {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// The waiting diagnoses of each server that is being diagnosed.
    private var waiting: [DeviceID: [Waiter]] = [:]
    private var lastNumber = 0

    /// Waits for the turn, and says whether it came in time. Who has it hands it on by ``release(_:)``.
    func acquire(_ server: DeviceID, within limit: Duration) async -> Bool {
        guard waiting[server] != nil else {
            waiting[server] = []
            return true
        }
        lastNumber += 1
        let number = lastNumber
        let timeout = Task {
            try await Task.sleep(for: limit)
            giveUp(number, at: server)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            waiting[server]?.append(Waiter(number: number, continuation: continuation))
        }
    }

    /// Passes the turn on to the next diagnosis.
    func release(_ server: DeviceID) {
        guard waiting[server]?.isEmpty == false else {
            waiting[server] = nil
            return
        }
        waiting[server]?.removeFirst().continuation.resume(returning: true)
    }

    private func giveUp(_ number: Int, at server: DeviceID) {
        guard let index = waiting[server]?.firstIndex(where: { $0.number == number }) else { return }
        waiting[server]?.remove(at: index).continuation.resume(returning: false)
    }
}
