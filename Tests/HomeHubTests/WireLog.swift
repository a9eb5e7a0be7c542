import Foundation
import HomeHub
import HubAPI
import Synchronization

/// The messages that hubs send to clients, as they are on the wire.
final class WireLog: Sendable {
    private let lines = Mutex<[String]>([])

    /// The messages as one text.
    var text: String { lines.withLock { $0.joined() } }

    fileprivate func note(_ message: HubMessage) {
        let line =
            switch message {
            case .reply(let id, let reply): WireMessage.line(replyTo: id, reply)
            case .event(let event): (try? WireMessage.line(event)) ?? Data("an event that cannot be written\n".utf8)
            case .closed(let error): WireMessage.line(replyTo: nil, .failure(error))
            }
        lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
    }
}

/// A transport to a hub in the same process that logs the received messages. From away, requests are in time.
final class NotingTransport: RPCTransport {
    private let inner: InProcessTransport
    private let isAway: Bool
    private let log: WireLog?

    init(to hub: HomeHub, as authority: SessionAuthority, _ log: WireLog?) {
        inner = InProcessTransport(to: hub, as: authority)
        isAway = authority.way == .away
        self.log = log
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        inner.open { [log] message in
            log?.note(message)
            receive(message)
        }
    }

    func send(_ request: HubRequest) {
        var request = request
        if isAway { request.until = RunningClock.now + HubProtocol.longestValidity }
        inner.send(request)
    }

    func close() { inner.close() }
}
