import RelayAPI
import RelayClient

/// Appends entries at a relay: those that wait go in one request, so that a change that many people see costs two at most.
actor AppendQueue {
    // This is an actor because the writers of all feeds add to it.

    typealias Sender = @Sendable ([AppendItem]) async throws(RelayClientError) -> [AppendResult]

    private typealias Answer = Result<AppendResult, RelayClientError>

    private struct Waiting {
        var id: Int
        var item: AppendItem
    }

    private let send: Sender
    private var waiting: [Waiting] = []
    private var continuations: [Int: CheckedContinuation<Answer, Never>] = [:]
    private var lastID = 0
    private var isSending = false

    /// The number of entries that wait for the answer to another one.
    var waitingCount: Int { waiting.count }

    init(send: @escaping Sender) {
        self.send = send
    }

    /// Appends an entry. A task that is canceled doesn't wait for the answer.
    func append(_ item: AppendItem) async throws(RelayClientError) -> AppendResult {
        guard isSending || Task.isCancelled else { return try await sendFirst(item) }
        lastID += 1
        let id = lastID
        let answer: Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Answer, Never>) in
                guard !Task.isCancelled else {
                    return continuation.resume(returning: .failure(.unreachable("The request was canceled.")))
                }
                continuations[id] = continuation
                waiting.append(Waiting(id: id, item: item))
                sendWaiting()
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
        return try answer.get()
    }

    /// Sends an entry while nothing else is on its way. Its own task does so, which spares two changes of threads.
    private func sendFirst(_ item: AppendItem) async throws(RelayClientError) -> AppendResult {
        isSending = true
        defer {
            isSending = false
            sendWaiting()
        }
        let results = try await send([item])
        guard let result = results.first else { throw .invalidAnswer("The relay answered other items.") }
        return result
    }

    /// Begins to send what waits, unless something is on its way.
    private func sendWaiting() {
        guard !isSending, !waiting.isEmpty else { return }
        isSending = true
        Task { await sendAll() }
    }

    private func cancel(_ id: Int) {
        waiting.removeAll { $0.id == id }
        finish(id, .failure(.unreachable("The request was canceled.")))
    }

    private func finish(_ id: Int, _ answer: Answer) {
        continuations.removeValue(forKey: id)?.resume(returning: answer)
    }

    private func sendAll() async {
        while !waiting.isEmpty {
            let batch = takeBatch()
            do throws(RelayClientError) {
                let results = try await send(batch.map(\.item))
                for (item, result) in zip(batch, results) { finish(item.id, .success(result)) }
            } catch {
                for item in batch { finish(item.id, .failure(error)) }
            }
        }
        isSending = false
    }

    /// Removes as many entries as one request has.
    private func takeBatch() -> [Waiting] {
        var bytes = 0
        var count = 0
        for next in waiting.prefix(RelayLimits.itemsPerAppend) {
            bytes += AppendRequest([next.item]).encodedCount
            guard count == 0 || bytes <= RelayLimits.appendBytes else { break }
            count += 1
        }
        defer { waiting.removeFirst(count) }
        return Array(waiting.prefix(count))
    }
}
