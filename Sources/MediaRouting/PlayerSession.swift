internal import Foundation
internal import LocalRPC
internal import Synchronization

/// Accepts the connections of programs that show what the app plays.
struct PlayerAcceptor: RPCSessionAcceptor {
    weak let server: PlayerServer?

    func acceptConnection(
        on executor: (any TaskExecutor)?,
        deliver: @escaping @Sendable (RPCMessage<PlayerEvent>) -> Void
    ) -> any RPCSession {
        server?.accept(deliver) ?? PlayerSession(number: 0, server: nil, deliver: deliver)
    }
}

/// One connection of a program that shows what the app plays.
///
/// This is a class because it is one connection.
final class PlayerSession: RPCSession {
    private let number: Int
    private weak let server: PlayerServer?
    private let deliver: @Sendable (RPCMessage<PlayerEvent>) -> Void
    private let follows = Mutex(false)

    init(number: Int, server: PlayerServer?, deliver: @escaping @Sendable (RPCMessage<PlayerEvent>) -> Void) {
        self.number = number
        self.server = server
        self.deliver = deliver
    }

    /// Whether the program gets events.
    var isFollowing: Bool { follows.withLock { $0 } }

    /// Sends what the app plays.
    func send(_ status: PlayerStatus) {
        deliver(.event(.status(status)))
    }

    func receive(_ request: RPCRequest) {
        guard request.method != PlayerMethods.command.name else { return perform(request) }
        let result: Result<Data, RPCError>
        do throws(RPCError) {
            result = .success(try answer(request))
        } catch {
            result = .failure(error)
        }
        deliver(.reply(id: request.id, RPCReply(result)))
        // The answer may be older than what was sent while it was made.
        if request.method == PlayerMethods.follow.name { server?.repeatStatus() }
    }

    /// Has the app perform a command, and replies once it has.
    private func perform(_ request: RPCRequest) {
        Task { [server] in
            let result: Result<Data, RPCError>
            do throws(RPCError) {
                let command = try Self.decoded(PlayerCommandCall.self, request).command
                guard await server?.perform(command) == true else {
                    throw RPCError(.commandFailed, "The app could not do it.")
                }
                result = .success(try Self.encoded(Empty()))
            } catch {
                result = .failure(error)
            }
            deliver(.reply(id: request.id, RPCReply(result)))
        }
    }

    private func answer(_ request: RPCRequest) throws(RPCError) -> Data {
        guard let server else { throw RPCError(.connectionLost, "The app has stopped to play.") }
        switch request.method {
        case PlayerMethods.follow.name:
            follows.withLock { $0 = true }
            return try Self.encoded(server.status)
        case PlayerMethods.setVolume.name:
            let volume = try Self.decoded(PlayerVolume.self, request).volume
            guard (0...1).contains(volume) else {
                throw RPCError(.malformedMessage, "The volume must be 0 to 1, not \(volume).")
            }
            server.setVolume(volume)
        case PlayerMethods.artwork.name:
            guard let artwork = server.artwork else { throw RPCError(.noArtwork, "The app shows no picture.") }
            return try Self.encoded(artwork)
        case PlayerMethods.present.name:
            server.present(try Self.decoded(PlayerPresentation.self, request).isPresented, number)
        default:
            throw RPCError(.unknownMethod, "The app has no method “\(request.method.prefix(80))”.")
        }
        return try Self.encoded(Empty())
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ request: RPCRequest) throws(RPCError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: request.parameters)
        } catch {
            throw RPCError(.malformedMessage, "The parameters of \(request.method) are invalid.")
        }
    }

    private static func encoded(_ value: some Encodable) throws(RPCError) -> Data {
        do {
            return try JSONEncoder().encode(value)
        } catch {
            throw RPCError(.malformedMessage, "What plays can't be written as JSON.")
        }
    }

    func pauseEvents() {}

    func resumeEvents() {
        // What was sent meanwhile may be lost.
        if isFollowing { server?.repeatStatus() }
    }

    func end() {
        server?.end(number)
    }
}

extension RPCError.Code {
    /// The app could not perform a command.
    static let commandFailed = Self(rawValue: "commandFailed")
    /// The app shows no picture of what plays.
    static let noArtwork = Self(rawValue: "noArtwork")
}
