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

    func stop() async {
        await process.terminate()
    }
}
