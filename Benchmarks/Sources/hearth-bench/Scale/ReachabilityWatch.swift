import Foundation
import Glibc

/// A client of a hub that tracks the reachable accessories. This is a class because reading changes its state.
final class ReachabilityWatch {
    private struct Update: Decodable {
        var accessory: String
        var isReachable: Bool
    }
    private struct Parameters: Decodable {
        var reachability: [Update]?
    }
    private struct Event: Decodable {
        var method: String?
        var params: Parameters?
    }

    private let client: HubClient
    private var reachable: Set<String> = []

    /// Connects and waits for the initial state.
    init(path: String) throws {
        client = try HubClient(path: path)
        try take(client.reset)
    }

    /// Reads events until the given number of accessories is reachable.
    ///
    /// - Throws: ``BenchFailure`` after the timeout.
    func wait(for count: Int, within limit: Duration = .seconds(180)) throws {
        let end = ContinuousClock.now + limit
        while reachable.count != count {
            if let line = try client.socket.lineAtHand() {
                try take(line)
                continue
            }
            var watched = pollfd(fd: client.socket.descriptor, events: Int16(POLLIN), revents: 0)
            let left = Int32((end - .now).milliseconds)
            guard left > 0, poll(&watched, 1, left) > 0 else {
                throw BenchFailure("\(reachable.count) accessories instead of \(count) are reachable after \(limit)")
            }
            try client.socket.receive()
        }
    }

    private func take(_ line: [UInt8]) throws {
        // Most events are values, and long.
        let event = try JSONDecoder().decode(Event.self, from: Data(line))
        if event.method == "reset" { reachable = [] }
        for update in event.params?.reachability ?? [] {
            if update.isReachable {
                reachable.insert(update.accessory)
            } else {
                reachable.remove(update.accessory)
            }
        }
    }
}
