import AccessorySimulator
import Foundation
import HAP
import LocalRPC
import LocalRPCSockets

/// A command's connection to a simulator's control socket.
struct SimulatorClient {
    private let connection: RPCConnection<NoEvents>

    /// Connects to the simulator that the options name.
    init(_ options: SimulatorOptions) throws(CommandFailure) {
        let server = SocketServer(name: "simulator", startAdvice: SimulatorOptions.startAdvice)
        connection = RPCConnection(over: UnixSocketTransport(path: try options.path(), to: server))
    }

    /// Calls a method.
    ///
    /// - Parameter parameters: A closure that writes the members of the parameters.
    func call<Answer: Decodable>(
        _ method: String,
        as: Answer.Type,
        _ parameters: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: try await call(method, parameters))
    }

    /// Calls a method and returns its result as JSON.
    @discardableResult
    func call(_ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }) async throws -> Data {
        var writer = JSONWriter()
        writer.object(parameters)
        do {
            return try await connection.send(method, Data(writer.bytes))
        } catch {
            throw Self.failure(error)
        }
    }

    /// Returns the failure of a command. The codes of the transport are the hub's.
    private static func failure(_ error: RPCError) -> CommandFailure {
        switch error.code {
        case .noHub: CommandFailure("noSimulator", SimulatorOptions.noSimulator)
        case .untrustedHub: CommandFailure("untrustedSimulator", "Another user runs the simulator at that socket.")
        case .connectionLost: CommandFailure(error.code.rawValue, "The simulator closed the connection.")
        default: CommandFailure(error.code.rawValue, error.reason)
        }
    }
}
