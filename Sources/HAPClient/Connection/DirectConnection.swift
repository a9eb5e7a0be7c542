package import HAP
internal import HAPCatalog
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A single connection to an accessory server.
///
/// Each request is sent once, immediately, one at a time. Nothing is batched or retried, and the connection doesn't
/// reconnect. ``AccessoryPairer`` pairs over it. To control an accessory, use an ``AccessorySession``.
///
/// This is a class because it is one connection. Its state belongs to one event loop.
package final class DirectConnection: Sendable {
    private let connection: AccessoryConnection.Bound
    private let eventLoop: any EventLoop
    private let responseTimeout: TimeAmount?
    private let answer = Mutex<EventLoopPromise<HTTPResponse>?>(nil)
    /// The accessory's host and port.
    package let host: String
    /// The local port.
    package let localPort: Int

    private init(_ connection: AccessoryConnection.Bound, responseTimeout: TimeAmount?, _ eventLoop: any EventLoop) {
        self.connection = connection
        self.responseTimeout = responseTimeout
        self.eventLoop = eventLoop
        host = connection.value.address.authority
        localPort = connection.value.channel?.localAddress?.port ?? 0
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: The address of the accessory server.
    ///   - connector: The factory of the connection.
    ///   - timeout: The maximum time for connecting.
    ///   - onEvent: A closure that receives events, called on the connection's event loop.
    ///   - onClose: A closure that receives the cause of the end, called on the connection's event loop. ``close()`` doesn't
    ///     call it.
    package static func open(
        to address: AccessoryAddress,
        by connector: AccessoryConnector = .tcp,
        timeout: Duration,
        onEvent: @escaping @Sendable (EventMessage) -> Void = { _ in },
        onClose: @escaping @Sendable (UnreachableCause) -> Void = { _ in }
    ) async throws(UnreachableCause) -> DirectConnection {
        try await open(
            toFirstOf: [address],
            by: connector,
            timeout: timeout,
            limits: .response,
            on: MultiThreadedEventLoopGroup.singleton.next(),
            onEvent: onEvent,
            onClose: onClose
        )
    }

    /// Connects to the first address that accepts a connection.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time for each address.
    ///   - responseTimeout: The maximum time for a response, after which the connection ends; `nil` for no limit.
    ///   - limits: The limits of a response once the connection is secured.
    static func open(
        toFirstOf addresses: [AccessoryAddress],
        by connector: AccessoryConnector,
        timeout: Duration,
        responseTimeout: Duration? = nil,
        limits: HTTPLimits,
        on eventLoop: any EventLoop,
        onEvent: @escaping @Sendable (EventMessage) -> Void = { _ in },
        onClose: @escaping @Sendable (UnreachableCause) -> Void = { _ in }
    ) async throws(UnreachableCause) -> DirectConnection {
        do {
            return try await AccessoryConnection.connect(
                toFirstOf: AccessoryAddress.sortedByPreference(addresses),
                by: connector,
                timeout: timeout,
                limits: limits,
                on: eventLoop
            )
            .map { bound in
                let timeout = responseTimeout.map { TimeAmount($0) }
                let direct = DirectConnection(bound, responseTimeout: timeout, eventLoop)
                bound.value.onInbound { [weak direct] arrival in
                    switch arrival {
                    case .response(let response), .lastResponse(let response):
                        direct?.takeAnswer()?.succeed(response)
                    case .event(let event):
                        onEvent(event)
                    case .closed(let cause):
                        onClose(cause)
                        direct?.takeAnswer()?.fail(cause)
                    }
                }
                return direct
            }
            .get()
        } catch {
            throw UnreachableCause(error)
        }
    }

    /// Sends a request and returns the response. If the task is canceled, the connection ends.
    package func ask(_ request: HTTPRequest) async throws(UnreachableCause) -> HTTPResponse {
        let promise = eventLoop.makePromise(of: HTTPResponse.self)
        eventLoop.execute { [self] in
            guard !connection.value.isOver else { return promise.fail(UnreachableCause.connectionLost) }
            answer.withLock { $0 = promise }
            if let responseTimeout {
                let timer = eventLoop.assumeIsolated().scheduleTask(in: responseTimeout) { self.abandon() }
                promise.futureResult.whenComplete { _ in timer.cancel() }
            }
            connection.value.send(request)
        }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                abandon()
            }
        } catch {
            throw UnreachableCause(error)
        }
    }

    /// Encrypts every byte from here on, in both directions.
    func secure(with keys: SessionKeys) {
        eventLoop.execute { [connection] in connection.value.secure(with: keys) }
    }

    /// Ends the connection without waiting. A request in progress fails as timed out.
    package func abandon() {
        eventLoop.execute { [connection] in connection.value.close(because: .timedOut) }
    }

    /// Ends the connection. Returns once it has ended.
    package func close() async {
        let closed = eventLoop.flatSubmit { [eventLoop, connection] in
            let channel = connection.value.channel
            connection.value.close()
            return channel?.closeFuture ?? eventLoop.makeSucceededVoidFuture()
        }
        takeAnswer()?.fail(UnreachableCause.connectionLost)
        try? await closed.get()
    }

    private func takeAnswer() -> EventLoopPromise<HTTPResponse>? {
        answer.withLock { answer in
            defer { answer = nil }
            return answer
        }
    }
}
