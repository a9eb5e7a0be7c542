import Foundation
import Glibc
import NIOCore
import NIOPosix
package import RelayAPI

/// The pipes of a client of a relay, on its live stream. Each is a stream of bytes at whose end there is a socket: what the
/// program writes to the socket goes to the other end of the pipe, and waits in the socket while that doesn't read.
///
/// Pass it to ``RelayClient/live(_:feed:door:pipes:hasWakes:)``. All pipes end with the connection.
package final class RelayPipes: Sendable {
    // This is a class because the stream, the pipes and their users share it. All of its state belongs to one event loop.

    /// What takes the pipes that devices open: gets the socket, which it owns, and where the pipe comes from.
    package typealias Acceptor = @Sendable (CInt, PipeOrigin) -> Void

    private struct State {
        var table = PipeTable()
        var uplink = FrameUplink()
        var sockets: [UInt32: PipeSocket] = [:]
        /// What is called when the other side ends a pipe of this one's.
        var onEnd: [UInt32: @Sendable (PipeEnd) -> Void] = [:]
        var connection: Connection?
        /// Those who wait for a connection, to open a pipe.
        var waiting: [UUID: EventLoopPromise<Void>] = [:]
        /// The pause before the next connection, and the earliest end of it.
        var pause: (end: EventLoopPromise<Void>, earliest: NIODeadline)?
        var watch = StreamWatch()
        var isFlushing = false
    }

    /// A connection of the live stream.
    struct Connection: Sendable {
        /// Sends a request with frames. Throws if the relay doesn't take it.
        var send: @Sendable (Int64, Data) async throws -> Void
        /// Ends the connection.
        var end: @Sendable () -> Void
        fileprivate let id = UUID()

        init(send: @escaping @Sendable (Int64, Data) async throws -> Void, end: @escaping @Sendable () -> Void) {
            self.send = send
            self.end = end
        }
    }

    let loop: any EventLoop
    private let accept: Acceptor?
    private let doors: @Sendable () -> [LiveDoor]
    private let state: NIOLoopBoundBox<State>

    /// Creates the pipes of a stream that isn't connected.
    ///
    /// - Parameters:
    ///   - accept: What takes the pipes of devices, for a hub; `nil` refuses them.
    ///   - doors: A closure that returns a hub's open doors, which the relay is told on each connection.
    package init(accept: Acceptor? = nil, doors: @escaping @Sendable () -> [LiveDoor] = { [] }) {
        self.accept = accept
        self.doors = doors
        loop = MultiThreadedEventLoopGroup.singleton.next()
        state = .makeBoxSendingValue(State(), eventLoop: loop)
    }

    /// Opens a pipe to the hub.
    ///
    /// - Parameters:
    ///   - time: How long to wait for a connection to the relay.
    ///   - onEnd: A closure that gets the reason if the relay or the hub ends the pipe, before the socket is closed.
    /// - Returns: The socket at this end, which the caller owns. It is closed from the other side if the hub can't be
    ///   reached.
    /// - Throws: `unreachable` if there is no connection in time.
    package func open(
        within time: Duration,
        onEnd: (@Sendable (PipeEnd) -> Void)? = nil
    ) async throws(RelayClientError) -> CInt {
        do {
            let limit = TimeAmount.nanoseconds(Int64(time / .nanoseconds(1)))
            return try await loop.flatSubmit { () -> EventLoopFuture<CInt> in
                self.connected(within: limit).flatMapThrowing { try self.begin(onEnd) }
            }
            .get()
        } catch {
            throw error as? RelayClientError ?? .unreachable("\(error)")
        }
    }

    private func connected(within time: TimeAmount) -> EventLoopFuture<Void> {
        guard state.value.connection == nil else { return loop.makeSucceededVoidFuture() }
        let (id, promise) = (UUID(), loop.makePromise(of: Void.self))
        state.value.waiting[id] = promise
        shortenPause()
        let timeout = loop.scheduleTask(in: time) {
            self.state.value.waiting.removeValue(forKey: id)?
                .fail(RelayClientError.unreachable("There is no connection to the relay."))
        }
        return promise.futureResult.always { _ in timeout.cancel() }
    }

    private func begin(_ onEnd: (@Sendable (PipeEnd) -> Void)?) throws -> CInt {
        guard state.value.connection != nil else {
            throw RelayClientError.unreachable("The connection to the relay has ended.")
        }
        let (number, frame) = state.value.table.open()
        state.value.onEnd[number] = onEnd
        enqueue(frame)
        // The hub may have gone away as well, so it is the relay that must answer.
        if let time = state.value.watch.asked() {
            enqueue(.ping)
            expectAnswer(time)
        }
        return try makeSocket(number)
    }

    /// Ends the connection if nothing at all comes on it after something was sent: the network on which it was made may be
    /// gone, which nobody says. The next connection is made on the present one.
    private func expectAnswer(_ time: Int) {
        guard let connection = state.value.connection else { return }
        loop.scheduleTask(in: .seconds(Int64(RelayLimits.answerSeconds))) {
            guard self.state.value.connection?.id == connection.id else { return }
            let isSent = self.state.value.uplink.waitingBytes == 0
            switch self.state.value.watch.timeIsOver(time, isSent: isSent) {
            case .rest: break
            case .wait: self.expectAnswer(time)
            case .ask:
                self.enqueue(.ping)
                self.expectAnswer(time)
            case .end: connection.end()
            }
        }
    }

    /// Creates the sockets of a pipe, and returns the one that its user gets.
    private func makeSocket(_ number: UInt32) throws -> CInt {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else {
            close(number, because: .refused)
            throw RelayClientError.unreachable("A pipe needs a socket: \(String(cString: strerror(errno))).")
        }
        let socket = PipeSocket(number, of: self)
        state.value.sockets[number] = socket
        socket.attach(to: ends[0])
        return ends[1]
    }

    // MARK: The connection

    /// Begins to use a connection.
    func connect(_ connection: Connection) {
        loop.execute {
            self.disconnect()
            self.state.value.connection = connection
            self.state.value.pause = nil
            self.state.value.watch = StreamWatch()
            let doors = self.doors()
            if !doors.isEmpty { self.enqueue(.doors(doors)) }
            let waiting = self.state.value.waiting.values
            self.state.value.waiting = [:]
            for promise in waiting { promise.succeed() }
        }
    }

    /// Waits before the next connection. Somebody who wants to open a pipe makes the pause the shortest one.
    func pause(for time: Duration) async {
        let ended = loop.flatSubmit { () -> EventLoopFuture<Void> in
            let end = self.loop.makePromise(of: Void.self)
            let shortest = TimeAmount.nanoseconds(Int64(ReconnectDelay.first / .nanoseconds(1)))
            self.state.value.pause = (end, .now() + shortest)
            self.loop.scheduleTask(in: .nanoseconds(Int64(time / .nanoseconds(1)))) { end.succeed() }
            if !self.state.value.waiting.isEmpty { self.shortenPause() }
            return end.futureResult
        }
        await withTaskCancellationHandler {
            try? await ended.get()
        } onCancel: {
            loop.execute { self.state.value.pause?.end.succeed() }
        }
    }

    private func shortenPause() {
        guard let pause = state.value.pause else { return }
        loop.scheduleTask(deadline: pause.earliest) { pause.end.succeed() }
    }

    /// Tells the relay of the hub's doors, because they have changed.
    package func refreshDoors() {
        loop.execute {
            // A connection that is made later tells of them itself.
            if self.state.value.connection != nil { self.enqueue(.doors(self.doors())) }
        }
    }

    /// Ends the waiting for a connection, because there will be none.
    package func fail(_ error: RelayClientError) {
        loop.execute {
            let waiting = self.state.value.waiting.values
            self.state.value.waiting = [:]
            for promise in waiting { promise.fail(error) }
        }
    }

    /// Ends the pipes of a connection that has ended.
    func disconnect(_ connection: Connection) {
        loop.execute {
            if self.state.value.connection?.id == connection.id { self.disconnect() }
        }
    }

    private func disconnect() {
        let sockets = state.value.sockets.values
        state.value.connection = nil
        state.value.sockets = [:]
        let onEnd = state.value.onEnd.values
        state.value.onEnd = [:]
        for tell in onEnd { tell(.lost) }
        state.value.table = PipeTable()
        state.value.uplink = FrameUplink()
        for socket in sockets { socket.end() }
    }

    /// Handles a frame of a connection.
    func receive(_ frame: LiveFrame, on connection: Connection) {
        loop.execute {
            guard self.state.value.connection?.id == connection.id else { return }
            self.state.value.watch.received()
            do throws(RelayError) {
                guard let event = try self.state.value.table.receive(frame) else { return }
                self.handle(event)
            } catch {
                connection.end()
            }
        }
    }

    private func handle(_ event: PipeTable.Event) {
        switch event {
        case .opened(let number, let origin):
            guard let accept, let socket = try? makeSocket(number) else { return close(number, because: .refused) }
            enqueue(LiveFrame(.accept, pipe: number))
            accept(socket, origin)
        case .data(let number, let bytes): state.value.sockets[number]?.write(bytes)
        case .credit(let number): state.value.sockets[number]?.sendMore()
        case .closed(let number, let end):
            state.value.onEnd.removeValue(forKey: number)?(end)
            state.value.sockets.removeValue(forKey: number)?.end()
        }
    }

    // MARK: For the sockets, on the event loop

    /// The maximum number of bytes that wait to be sent before the sockets aren't read any more.
    private static let waitingBytes = 4 * RelayLimits.frameRequestBytes

    /// Returns how many bytes of a pipe can be sent now.
    func credit(of number: UInt32) -> Int {
        state.value.uplink.waitingBytes < Self.waitingBytes ? state.value.table.credit(of: number) : 0
    }

    func send(_ bytes: Data, on number: UInt32) {
        for frame in state.value.table.send(bytes, on: number) { enqueue(frame) }
    }

    func took(_ count: Int, on number: UInt32) {
        if let frame = state.value.table.take(count, on: number) { enqueue(frame) }
    }

    func close(_ number: UInt32, because end: PipeEnd = .closed) {
        state.value.sockets[number] = nil
        state.value.onEnd[number] = nil
        if let frame = state.value.table.close(number, because: end) { enqueue(frame) }
    }

    private func enqueue(_ frame: LiveFrame) {
        state.value.uplink.add(frame)
        if let time = state.value.watch.sent() { expectAnswer(time) }
        guard !state.value.isFlushing else { return }
        // What comes in this turn of the event loop goes in one request.
        state.value.isFlushing = true
        loop.execute {
            self.state.value.isFlushing = false
            self.flush()
        }
    }

    private func flush() {
        guard let connection = state.value.connection else { return }
        while let request = state.value.uplink.next() {
            Task {
                do {
                    try await connection.send(request.order, request.body)
                } catch {
                    return connection.end()
                }
                loop.execute {
                    guard self.state.value.connection?.id == connection.id else { return }
                    self.state.value.uplink.answered(request.order)
                    self.flush()
                    for socket in self.state.value.sockets.values { socket.sendMore() }
                }
            }
        }
    }
}
