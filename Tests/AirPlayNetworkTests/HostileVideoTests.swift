import AirPlay
import AirPlayNetwork
import HAP
import Synchronization
import Testing

/// A receiver of films, and connections that send nothing.
@Suite struct HostileVideoTests {
    /// A player that says that it plays. This is a class because the receiver and the test share it.
    private final class Player: VideoPlayer {
        private let current = Mutex(VideoStatus())

        var status: VideoStatus { current.withLock { $0 } }

        func play(_ address: MediaAddress, from start: VideoRequest.Start) -> Bool {
            current.withLock { $0 = VideoStatus(state: .playing) }
            return true
        }

        func seek(to seconds: Double) -> Bool { true }
        func pause(_ isPaused: Bool) {}
        func stop() { current.withLock { $0 = VideoStatus() } }
    }

    private static func request(_ line: String, _ body: String = "") -> [UInt8] {
        Array("\(line) HTTP/1.1\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
    }

    @Test func halfOpenConnectionsKeepOutNeitherTheSenderOfAFilmNorTheNextOne() async throws {
        let player = Player()
        let receiver = VideoReceiver(name: "TV", player: player) { _ in }
        let port = try await receiver.start(address: "127.0.0.1", port: 0)
        let sender = try RawSender(port: port)
        let play = Self.request("POST /play", "Content-Location: http://127.0.0.1:9/a\n")
        sender.send(raw: play)
        #expect(try sender.receive()?.status == .ok)
        var halfOpen: [RawSender] = []
        func open() throws {
            for _ in 0..<VideoReceiver.connectionLimit + 4 {
                let connection = try RawSender(port: port, from: "127.0.0.2")
                connection.send(raw: Array("GET /".utf8))
                halfOpen.append(connection)
            }
        }
        try open()
        let second = try RawSender(port: port)
        for connection in [sender, second] {
            connection.send(raw: Self.request("GET /playback-info"))
            #expect(try connection.receive()?.status == .ok)
        }
        sender.send(raw: Self.request("POST /stop"))
        #expect(try sender.receive()?.status == .ok)
        #expect(player.status.state == .stopped)
        try open()
        let next = try RawSender(port: port, from: "127.0.0.3")
        next.send(raw: play)
        #expect(try next.receive()?.status == .ok)
        await receiver.stop()
    }
}
