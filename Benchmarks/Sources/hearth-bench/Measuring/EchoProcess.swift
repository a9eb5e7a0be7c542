import Foundation
import HAP
import PeerProcess

/// An ``EchoServer`` in a separate process. This is a class because it represents a process.
final class EchoProcess {
    private struct Ready: Decodable, Sendable {
        var port: Int
    }

    let port: Int
    let clock: ProcessorClock
    private let process: PeerProcess

    /// Starts an echo server and waits until it listens.
    init(_ answers: EchoServer.Answers, answerLength: Int) async throws {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process = try PeerProcess(program, [EchoServer.argument, answers.rawValue, String(answerLength)])
        port = try await process.json(Ready.self, "echo") { _ in true }.port
        clock = try ProcessorClock(of: process.processIdentifier)
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

    /// Returns the processor time of receiving and decrypting a request and encrypting and sending its response, in
    /// microseconds.
    ///
    /// - Parameters:
    ///   - requestLength: The length of the request before its encryption.
    ///   - answerLength: The length of the response before its encryption.
    static func floor(_ count: Int, requestLength: Int, answerLength: Int) async throws -> Double {
        guard let key = EchoServer.key else { throw BenchFailure("no key") }
        let server = try await EchoProcess(.sealed, answerLength: answerLength)
        let connection = try Socket(port: server.port)
        var sealer = FrameSealer(key: key)
        let request = [UInt8](repeating: 0, count: requestLength)
        let requests = try (0..<count).map { _ in try sealer.seal(request) }
        let length = FrameSealer.sealedLength(of: answerLength)
        let time = try server.clock.time {
            _ = try PairedServer.exchange([requests], [connection], answerLength: length)
        }
        await server.stop()
        return time.microseconds / Double(count)
    }

    func stop() async {
        await process.terminate()
    }
}
