internal import HAP
internal import HAPCatalog
internal import NIOCore

/// A connection for attacks, opened again when the accessory closed it.
///
/// It is a class because it is one connection. It belongs to one task.
final class Attacker {
    private let context: CheckContext
    private let controller: ControllerIdentity?
    private var connection: ControllerConnection?

    /// Creates an attacker without a connection.
    ///
    /// - Parameter controller: The controller as which connections are verified. Without one, they aren't.
    init(_ context: CheckContext, as controller: ControllerIdentity? = nil) {
        self.context = context
        self.controller = controller
    }

    /// Closes the connection, and opens another.
    @discardableResult
    func reconnect() async throws -> ControllerConnection {
        try await connection?.close()
        connection = nil
        let opened =
            if let controller { try await context.session(as: controller) } else { try await context.connect() }
        connection = opened
        return opened
    }

    /// Closes the connection.
    func close() async throws {
        try await connection?.close()
        connection = nil
    }

    /// Sends bytes and returns the answer. If the connection was used before and turns out to be closed, sends them on
    /// another one.
    func answer(to bytes: [UInt8]) async throws -> AttackAnswer {
        if let used = connection {
            let answer = try await exchange(bytes, on: used)
            guard case .closed = answer else { return answer }
        }
        return try await exchange(bytes, on: reconnect())
    }

    /// Sends bytes on the current connection and returns the answer.
    func exchange(_ bytes: [UInt8], on connection: ControllerConnection) async throws -> AttackAnswer {
        let answer: AttackAnswer
        do {
            try await connection.send(bytes)
            answer = try await context.answer(on: connection)
        } catch let error where error is IOError || error is ChannelError {
            answer = .closed
        }
        switch answer {
        case .response: break
        case .garbage, .closed, .silence: self.connection = nil
        }
        return answer
    }

    /// Sends a request and returns the answer.
    func ask(_ request: HTTPRequest) async throws -> AttackAnswer {
        try await answer(to: request.encoded())
    }

    /// Sends a pairing message and returns the answer.
    func post(_ path: String, _ body: [UInt8]) async throws -> AttackAnswer {
        try await ask(context.pairingRequest(path, body))
    }

    /// Sends a write and returns the answer.
    func put(_ path: String, _ body: [UInt8]) async throws -> AttackAnswer {
        let type = HAPContentType.json
        return try await ask(HTTPRequest(.put, path, host: context.target.host, contentType: type, body: body))
    }

    /// Sends a read and returns the answer.
    func get(_ target: String) async throws -> AttackAnswer {
        try await ask(HTTPRequest(.get, target, host: context.target.host))
    }
}
