import Foundation
import HubAPI

/// The commands of one session: those that hubs haven't answered, and those that wait for a hub, to be asked again. It is a
/// value without I/O.
struct SentCommands: Sendable {
    private struct Sent {
        var command: LostCommand
        /// Whether it was sent before, on a connection that was lost.
        var wasLost: Bool
    }

    private let hello: Hello
    private var sent: [Int: Sent] = [:]
    /// The requests whose clients were told that the outcome isn't known. Later replies aren't for them.
    private var told: Set<Int> = []
    /// The requests that wait for a hub.
    private var held: [(request: HubRequest, hub: UUID)] = []

    /// - Parameter hello: The client's introduction.
    init(_ hello: Hello) {
        self.hello = hello
    }

    /// Sends a request to a hub.
    ///
    /// - Parameters:
    ///   - run: The hub's run.
    ///   - isRelayed: Whether the connection is through the relay.
    mutating func send(
        _ request: HubRequest,
        on connection: Int,
        to hub: UUID,
        in run: UUID?,
        isRelayed: Bool,
        _ view: SessionView
    ) -> [SessionAction] {
        guard let key = request.key else { return [.send(request, on: connection)] }
        let lost = view.lost(key)
        let command =
            lost
            ?? LostCommand(
                request: request,
                hub: hub,
                hello: hello,
                run: run,
                sent: view.now(),
                isRelayed: isRelayed
            )
        sent[request.id] = Sent(command: command, wasLost: lost != nil)
        // The agent counts the time of what was lost before.
        let mustCount = lost == nil && isRelayed
        return [.send(request, on: connection)] + (mustCount ? [.startAnswerTimeout(key)] : [])
    }

    /// Returns what follows from a hub's reply.
    mutating func answer(_ id: Int, _ message: HubMessage) -> [SessionAction] {
        if told.remove(id) != nil { return [] }
        guard let sent = sent.removeValue(forKey: id), sent.wasLost, let key = sent.command.request.key else {
            return [.deliver(message)]
        }
        // A hub that has stopped since, or lost touch, may have got the other's agreement before.
        if case .reply(_, let reply) = message, case .failure(let error) = reply.result, error.code == .noLeader {
            return [.settle(key), .deliver(.reply(id: id, .failure(LostCommand.error(isAskedAgain: false))))]
        }
        return [.settle(key), .deliver(message)]
    }

    /// Records that the connection to a hub is lost, and with it the replies.
    mutating func lose(_ hub: UUID) -> [SessionAction] {
        let lost = sent.filter { $0.value.command.hub == hub }
        for id in lost.keys { sent[id] = nil }
        return lost.isEmpty ? [] : [.lose(lost.values.map(\.command))]
    }

    /// Handles a request that was sent before, while the hub is out of reach: it waits for the hub if there is time left.
    ///
    /// - Returns: What follows; `nil` if the request wasn't sent before.
    mutating func hold(_ request: HubRequest, for hub: UUID, _ view: SessionView) -> [SessionAction]? {
        guard let lost = request.key.flatMap({ view.lost($0) }) else { return nil }
        guard lost.isRelayed, !lost.isTold, held.count < AgentLimits.lostCommands else {
            return [.deliver(.reply(id: request.id, .failure(lost.error)))]
        }
        held.append((request, hub))
        return []
    }

    /// Whether requests wait for a hub.
    func holds(for hub: UUID) -> Bool { held.contains { $0.hub == hub } }

    /// Asks a hub again that is back. One that has started again doesn't remember what it has done.
    mutating func release(
        for hub: UUID,
        on connection: Int,
        in run: UUID,
        isRelayed: Bool,
        _ view: SessionView
    ) -> [SessionAction] {
        let waiting = held.filter { $0.hub == hub }
        held.removeAll { $0.hub == hub }
        return waiting.flatMap { entry -> [SessionAction] in
            guard let lost = entry.request.key.flatMap({ view.lost($0) }) else { return [] }
            guard lost.run == run else { return [.deliver(.reply(id: entry.request.id, .failure(lost.error)))] }
            return send(entry.request, on: connection, to: hub, in: run, isRelayed: isRelayed, view)
        }
    }

    /// Handles the end of the time that an answer has.
    mutating func answerIsDue(_ key: UUID) -> [SessionAction] {
        if let index = held.firstIndex(where: { $0.request.key == key }) {
            let request = held.remove(at: index).request
            return [.deliver(.reply(id: request.id, .failure(LostCommand.error(isAskedAgain: true))))]
        }
        guard let (id, sent) = sent.first(where: { $0.value.command.request.key == key }) else { return [] }
        self.sent[id] = nil
        told.insert(id)
        // The connection may still be there, but nobody knows.
        return [.lose([sent.command]), .deliver(.reply(id: id, .failure(sent.command.error)))]
    }
}
