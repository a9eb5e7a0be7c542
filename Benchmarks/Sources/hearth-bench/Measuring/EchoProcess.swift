import Foundation
import PeerProcess

/// An ``EchoServer`` in a separate process. This is a class because it represents a process.
final class EchoProcess {
    private struct Ready: Decodable, Sendable {
        var port: Int
    }

    let port: Int
    private let process: PeerProcess

    /// Starts an echo server and waits until it listens.
    init(_ answers: EchoServer.Answers, answerLength: Int) async throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process = try PeerProcess(program, [EchoServer.argument, answers.rawValue, String(answerLength)])
        port = try await process.json(Ready.self, "echo") { _ in true }.port
    }

    /// Returns the durations of exchanges of one byte, one after another, in milliseconds.
    static func roundTrips(_ count: Int) async throws -> [Double] {
        let server = try await EchoProcess(.each, answerLength: 1)
        let connection = try Socket(port: server.port)
        let times = try (0..<count).map { _ in
            let start = ContinuousClock.now
            try connection.send([1])
            _ = try connection.receive()
            return (ContinuousClock.now - start).milliseconds
        }
        await server.stop()
        return times
    }

    func stop() async {
        await process.terminate()
    }
}
