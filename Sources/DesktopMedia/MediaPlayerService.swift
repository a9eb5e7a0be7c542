internal import Foundation
internal import Glibc
internal import Synchronization

/// Shows on the desktop what plays, and takes its keys, through the session's D-Bus (MPRIS).
///
/// This is a class because it owns a connection, which only its thread uses.
package final class MediaPlayerService: Sendable {
    /// The time after which a change is sent, in microseconds.
    private static let pause: UInt64 = 100_000

    private struct State: Sendable {
        var player = MediaPlayerState()
        var isClosed = false
    }

    /// The connection. This is a class because the library's callback gets a pointer to it.
    fileprivate final class Connection {
        let library: SessionBusLibrary
        let bus: SessionBusLibrary.Bus
        let service: MediaPlayerService
        var sent = MediaPlayerState()

        init(_ library: SessionBusLibrary, _ bus: SessionBusLibrary.Bus, _ service: MediaPlayerService) {
            (self.library, self.bus, self.service) = (library, bus, service)
        }
    }

    fileprivate let identity: String
    private let program: String
    fileprivate let key: @Sendable (MediaKey) -> Void
    private let state = Mutex(State())

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - identity: The name that the desktop shows.
    ///   - program: The program's name, for the service's. Letters, digits and underscores of it are used.
    ///   - key: A closure that takes keys, called on the service's thread.
    package init(
        identity: String,
        program: String = "hearth",
        key: @escaping @Sendable (MediaKey) -> Void
    ) {
        self.identity = identity
        self.program = MediaPlayerProperties.nameElement(program)
        self.key = key
    }

    /// What plays.
    package var player: MediaPlayerState {
        get { state.withLock { $0.player } }
        set { state.withLock { $0.player = newValue } }
    }

    /// Changes what plays, in one step: sound and what is told about it come from different threads.
    package func change(_ body: (inout MediaPlayerState) -> Void) {
        state.withLock { body(&$0.player) }
    }

    /// Connects, if the session has a bus.
    package func start() {
        Thread.detachNewThread { self.run() }
    }

    /// Disconnects soon.
    package func stop() {
        state.withLock { $0.isClosed = true }
    }

    private func run() {
        var bus: SessionBusLibrary.Bus?
        guard let library = SessionBusLibrary(), library.openUser(&bus) >= 0, let bus else { return }
        defer { _ = library.close(bus) }
        let connection = Connection(library, bus, self)
        let name = "\(MediaPlayerProperties.name).\(program).instance\(getpid())"
        let context = Unmanaged.passUnretained(connection).toOpaque()
        let isReady =
            library.addFilter(
                bus,
                nil,
                { message, context, _ in
                    guard let message, let context else { return 0 }
                    return Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().handle(message) ? 1 : 0
                },
                context
            ) >= 0
        guard isReady, library.requestName(bus, name, 0) >= 0 else { return }
        withExtendedLifetime(connection) {
            while !state.withLock({ $0.isClosed }) {
                let result = library.process(bus, nil)
                guard result >= 0 else { return }
                connection.sendChange()
                if result == 0, library.wait(bus, Self.pause) < 0 { return }
            }
        }
    }
}

extension MediaPlayerService.Connection {
    /// Answers a call. Returns `false` if the message is for others.
    fileprivate func handle(_ message: SessionBusLibrary.Message) -> Bool {
        guard library.isCall(message, nil, nil) > 0, text(library.path(message)) == MediaPlayerProperties.path,
            let interface = text(library.interface(message)), let member = text(library.member(message))
        else { return false }
        switch interface {
        case MediaPlayerProperties.player:
            guard let key = MediaKey(rawValue: member) else { return refuse(message) }
            service.key(key)
            return answer(message) { _ in }
        case MediaPlayerProperties.properties: return property(member, message)
        default: return false
        }
    }

    private func property(_ member: String, _ message: SessionBusLibrary.Message) -> Bool {
        guard let interface = library.readText(message),
            let values = MediaPlayerProperties.values(of: interface, service.player, identity: service.identity)
        else { return refuse(message) }
        switch member {
        case "GetAll": return answer(message) { library.append(.dictionary(values), to: $0) }
        case "Get":
            guard let value = library.readText(message).flatMap({ values[$0] }) else { return refuse(message) }
            return answer(message) { library.appendVariant(value, to: $0) }
        default: return refuse(message)
        }
    }

    private func text(_ pointer: SessionBusLibrary.Text?) -> String? { pointer.map { String(cString: $0) } }

    private func refuse(_ message: SessionBusLibrary.Message) -> Bool {
        library.refuse(message, EOPNOTSUPP, nil) >= 0
    }

    private func answer(
        _ message: SessionBusLibrary.Message,
        _ fill: (SessionBusLibrary.Message) -> Void
    ) -> Bool {
        var reply: SessionBusLibrary.Message?
        guard library.makeReturn(message, &reply) >= 0, let reply else { return false }
        fill(reply)
        _ = library.send(bus, reply, nil)
        _ = library.release(reply)
        return true
    }

    /// Tells the desktop what has changed.
    fileprivate func sendChange() {
        let player = service.player
        guard player != sent else { return }
        sent = player
        let (path, interface) = (MediaPlayerProperties.path, MediaPlayerProperties.properties)
        var signal: SessionBusLibrary.Message?
        guard library.makeSignal(bus, &signal, path, interface, MediaPlayerProperties.changed) >= 0, let signal,
            let values = MediaPlayerProperties.values(
                of: MediaPlayerProperties.player,
                player,
                identity: service.identity
            )
        else { return }
        library.append(.text(MediaPlayerProperties.player), to: signal)
        library.append(.dictionary(values), to: signal)
        library.append(.texts([]), to: signal)
        _ = library.send(bus, signal, nil)
        _ = library.release(signal)
    }
}
