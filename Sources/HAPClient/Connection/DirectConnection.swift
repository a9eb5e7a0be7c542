package import HAP
internal import HAPCatalog
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// One connection to an accessory server without supervision: each request goes out once and at once, nothing is put
/// together, repeated or timed, and a loss is final. For those who drive an accessory step by step; whoever wants it
/// controlled takes an ``AccessorySession``.
///
/// One request at a time. A class because it is one connection; its state lives on one event loop.
package final class DirectConnection: Sendable {
    private let connection: AccessoryConnection.Bound
    private let eventLoop: any EventLoop
    private let answer = Mutex<EventLoopPromise<HTTPResponse>?>(nil)
    /// The accessory's host and port.
    package let host: String
    /// The port at this end.
    package let localPort: Int

    private init(_ connection: AccessoryConnection.Bound, host: String, localPort: Int, _ eventLoop: any EventLoop) {
        self.connection = connection
        self.host = host
        self.localPort = localPort
        self.eventLoop = eventLoop
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - connector: What makes the connection.
    ///   - timeout: How long to try.
    ///   - onEvent: Hears of events, on the connection's event loop.
    ///   - onClose: Hears of the end, unless ``close()`` has brought it, on the connection's event loop.
    package static func open(
        to address: AccessoryAddress,
        by connector: AccessoryConnector = .tcp,
        timeout: Duration,
        onEvent: @escaping @Sendable (EventMessage) -> Void = { _ in },
        onClose: @escaping @Sendable (UnreachableCause) -> Void = { _ in }
    ) async throws(UnreachableCause) -> DirectConnection {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        do {
            return try await AccessoryConnection.connect(
                toFirstOf: [address],
                by: connector,
                timeout: timeout,
                limits: .response,
                on: eventLoop
            )
            .map { bound in
                let direct = DirectConnection(
                    bound,
                    host: bound.value.address.authority,
                    localPort: bound.value.channel?.localAddress?.port ?? 0,
                    eventLoop
                )
                bound.value.onArrival { [weak direct] arrival in
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

    /// Sends a request and waits for its answer, however long that takes.
    package func ask(_ request: HTTPRequest) async throws(UnreachableCause) -> HTTPResponse {
        let promise = eventLoop.makePromise(of: HTTPResponse.self)
        eventLoop.execute { [self] in
            guard !connection.value.isOver else { return promise.fail(UnreachableCause.connectionLost) }
            answer.withLock { $0 = promise }
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

    /// Gives the connection up: what was asked fails as not answered in time.
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

// MARK: Pairing

extension DirectConnection {
    /// Verifies (pair-verify), after which everything is encrypted.
    package func verify(_ pairing: AccessoryPairing) async throws(UnreachableCause) {
        var exchange = VerifyExchange(pairing: pairing, host: host)
        var request = exchange.start()
        while true {
            switch exchange.handle(try await ask(request)) {
            case .send(let next):
                request = next
            case .secured(let keys):
                eventLoop.execute { [connection] in connection.value.secure(with: keys) }
                return
            case .failed(let cause):
                await close()
                throw cause
            }
        }
    }

    /// Pairs (pair-setup).
    package func pair(
        code: SetupCode,
        controller: ControllerIdentity
    ) async throws(PairerError) -> AccessoryPairing {
        var setup = PairSetupController(identity: controller, setupCode: code, expecting: nil)
        var generator = SystemRandomNumberGenerator()
        let m5: [UInt8]
        do {
            let m2 = try await post(setup.start())
            let m3 = try setup.handleM2(m2, using: &generator)
            m5 = try setup.handleM4(try await post(m3))
        } catch {
            throw PairerError(beforeKeys: error)
        }
        do {
            let accessory = try setup.handleM6(try await post(m5))
            return AccessoryPairing(
                deviceID: accessory.deviceID,
                accessoryPublicKey: accessory.publicKey,
                controllerIdentity: controller
            )
        } catch {
            throw PairerError(afterKeys: error)
        }
    }

    /// Posts a message of pair-setup and gives the body of the answer.
    private func post(_ message: [UInt8]) async throws -> [UInt8] {
        let path = HAPEndpoint.pairSetup.path
        let response = try await ask(
            HTTPRequest(.post, path, host: host, contentType: HAPContentType.pairing, body: message)
        )
        guard response.status == .ok || response.isPairingMessage else {
            throw PairerError.refused(httpStatus: response.status.rawValue)
        }
        return response.body
    }
}
