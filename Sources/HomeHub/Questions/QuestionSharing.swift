import Foundation
import HubAPI
import Synchronization

/// Lets the clients of one of two hubs answer what the other one asks.
///
/// Each hub tells the other of its open questions. An answer goes to the hub that asks, which checks the same rights as for its
/// own clients.
package final class QuestionSharing: Sendable {
    // This is a class because the connection to the other hub and the questions share it.

    /// The maximum size of what is told of a question, in bytes. A longer one is answered at the hub that asks.
    package static let newsBytes = 64 << 10
    /// The maximum number of the other hub's questions; more aren't taken.
    static let questions = SessionLimits.openQuestionsInAll

    private let line: LeaderLine
    private let turns = WorkTurns()
    private let send = Mutex<(@Sendable ([UInt8]) -> Bool)?>(nil)
    /// Returns what gets the other hub's news, as long as the hub runs.
    private let manager = Mutex<@Sendable () -> QuestionManager?>({ nil })

    init(over line: LeaderLine) {
        self.line = line
    }

    /// Sets what gets the other hub's news.
    func begin(with manager: QuestionManager) {
        self.manager.withLock { $0 = { [weak manager] in manager } }
    }

    // MARK: The other hub

    /// Handles that the other hub is connected.
    ///
    /// - Parameter send: A closure that sends it a message, or returns `false` if the connection has ended.
    package func connect(_ send: @escaping @Sendable ([UInt8]) -> Bool) {
        self.send.withLock { $0 = send }
        inTurn { await $0.tellAll() }
    }

    /// Handles that the other hub isn't connected any more. Nobody here can answer its questions then.
    package func disconnect() {
        send.withLock { $0 = nil }
        inTurn { await $0.forgetOtherHubs() }
    }

    /// Handles what the other hub tells. What isn't news is ignored.
    package func receive(_ bytes: [UInt8]) {
        guard let news = QuestionNews(bytes) else { return }
        inTurn { await $0.take(news) }
    }

    private func inTurn(_ work: @escaping @Sendable (QuestionManager) async -> Void) {
        guard let manager = manager.withLock({ $0 })() else { return }
        _ = turns.add { await work(manager) }
    }

    // MARK: The questions

    /// Tells the other hub, if it is connected.
    func tell(_ news: QuestionNews) {
        guard let send = send.withLock({ $0 }), let bytes = news.bytes else { return }
        _ = send(bytes)
    }

    /// Has the other hub carry out what a client here asks about one of its questions.
    func ask<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        for session: HubSession
    ) async throws(HubError) -> Result {
        guard let hello = session.hello, let bytes = try? MessageJSON.encode(parameters) else {
            throw QuestionManager.noSuchQuestion
        }
        let client = LeaderRequest.Client(session, hello)
        let call = LeaderRequest.Content.call(client, method: method.name, key: nil, until: nil, parameters: bytes)
        let answer = await withCheckedContinuation { continuation in
            line.ask(call, of: session.id) { continuation.resume(returning: $0) }
        }
        switch answer {
        case .success(.reply(let reply)):
            do {
                return try MessageJSON.decode(Result.self, from: try reply.result.get())
            } catch {
                throw error as? HubError ?? HubError(.hubFailure, "The other hub's reply can't be read: \(error)")
            }
        case .failure(.noLeader): throw QuestionManager.noSuchQuestion
        case .success, .failure(.lost):
            throw HubError(.noLeader, "The other hub asks this, and didn't reply. Look whether it was answered.")
        case .failure(let failure): throw failure.error
        }
    }
}
