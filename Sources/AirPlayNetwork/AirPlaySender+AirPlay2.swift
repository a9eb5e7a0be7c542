internal import AirPlay
internal import HAP
internal import NIOCore
internal import NIOPosix

extension AirPlaySender {
    func startPairing(_ access: SenderAccess) {
        var random = SystemRandomNumberGenerator()
        var pairing = SenderPairing(access.kind, identity: access.identity, peers: access.peers)
        send(pairing.start(using: &random))
        self.pairing = pairing
    }

    func continuePairing(_ pairing: SenderPairing, _ response: RTSPResponse) {
        isComputing = true
        PairingQueue.run(thenOn: loop) {
            var pairing = pairing
            var random = SystemRandomNumberGenerator()
            let step = Result { () throws(SenderFailure) in try pairing.receive(response, using: &random) }
            return (pairing, step)
        } then: { pairing, step in
            self.assumeIsolated { $0.continuePairing(pairing, step) }
        }
    }

    private func continuePairing(_ pairing: SenderPairing, _ step: Result<SenderPairing.Step, SenderFailure>) {
        isComputing = false
        guard result == nil else { return }
        self.pairing = pairing
        // Nothing may follow a response before the next request, least of all in the clear after the last one.
        guard reader.isBetweenMessages else { return finish(.failure(.failed(.unexpectedResponse))) }
        switch step {
        case .success(.send(let request)): send(request)
        case .success(.keep(let peer, let request)):
            configuration.access?.keep(peer)
            send(request)
        case .success(.needsPIN): Task { await enterPIN() }
        case .success(.secured(let secret)):
            self.pairing = nil
            security = .senderControl(secret)
            self.secret = secret
            startSession(after: pairing.sequence)
        case .failure(let failure): finish(.failure(.failed(failure)))
        }
    }

    private func enterPIN() async {
        guard let pin = await configuration.access?.pin() else {
            return finish(.failure(.failed(.pairingRequired)))
        }
        guard result == nil, let request = pairing?.enter(pin) else { return }
        send(request)
    }

    /// Connects to the receiver's port for events, and goes on.
    func openEvents(_ port: Int) async {
        // The whole address, because a link-local one needs its interface, too.
        guard let secret, let address = channel?.remoteAddress?.with(port: port) else { return }
        do {
            events = try await ClientBootstrap(group: loop)
                .connectTimeout(Self.connectLimit)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(SenderEventHandler(.senderEvents(secret)))
                    }
                }
                .connect(to: address).get()
        } catch {
            return finish(.failure(.unreachable("\(address.ipAddress ?? "") port \(port)")))
        }
        guard result == nil else { return events?.close(promise: nil) ?? () }
        sendNext()
    }
}
