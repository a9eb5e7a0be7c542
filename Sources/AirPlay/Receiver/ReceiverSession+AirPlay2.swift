internal import HAP

extension ReceiverSession {
    /// Refuses what only paired senders may do. Returns `nil` if the request may pass.
    func demandPairing(_ request: RTSPRequest) -> Outcome? {
        let isOpen: Set<RTSPMethod> = [.options, .get]
        guard configuration.airPlay2?.record.needsPIN == true, secret == nil, !isOpen.contains(request.method) else {
            return nil
        }
        return Outcome(response: RTSPResponse(.connectionAuthorizationRequired), problem: .pairingRequired)
    }

    /// Whether a request is a pairing message, which takes some milliseconds of arithmetic.
    package static func isPairing(_ request: RTSPRequest) -> Bool {
        request.method == .post && PairingConstants.paths.contains(request.uri)
    }

    /// Answers a request of a sender that may pair.
    ///
    /// - Parameters:
    ///   - isBusy: Whether another session has a stream.
    ///   - pairings: The pairings, which all connections share.
    ///   - now: The current time, from the same clock in all calls.
    ///   - generator: A cryptographically secure generator.
    package mutating func handle(
        _ request: RTSPRequest,
        isBusy: Bool,
        pairings: inout ReceiverPairings,
        at now: ContinuousClock.Instant,
        using generator: inout some RandomNumberGenerator
    ) -> Outcome {
        if let outcome = pair(request, &pairings, at: now, using: &generator) { return complete(outcome, request) }
        return handle(request, isBusy: isBusy)
    }

    static func hasPropertyList(_ request: RTSPRequest) -> Bool {
        request.headers[HTTPHeaderName.contentType]?.lowercased() == PropertyList.contentType
    }

    private static func answer(_ body: PropertyList) -> RTSPResponse {
        RTSPResponse(.ok, headers: [HTTPHeaderName.contentType: PropertyList.contentType], body: body.bytes)
    }

    func information() -> Outcome {
        guard let record = configuration.airPlay2?.record else { return Outcome(response: RTSPResponse(.notFound)) }
        return Outcome(response: Self.answer(record.information))
    }

    /// Answers a pairing message. Returns `nil` if the request is another one.
    private mutating func pair(
        _ request: RTSPRequest,
        _ pairings: inout ReceiverPairings,
        at now: ContinuousClock.Instant,
        using generator: inout some RandomNumberGenerator
    ) -> Outcome? {
        guard configuration.airPlay2 != nil, Self.isPairing(request) else { return nil }
        let result: PairingExchange.Outcome
        switch request.uri {
        case PairingConstants.showPINPath:
            // Senders that pair for one connection ask, too.
            let isTransient = request.headers[PairingConstants.kindHeader] == PairingConstants.transientKind
            let isNew = !isTransient && secret == nil && pairings.showPIN(using: &generator)
            return Outcome(
                response: RTSPResponse(.ok),
                event: isNew ? pairings.shownPIN.map { .pinNeeded($0) } : nil
            )
        case PairingConstants.setupPath, PairingConstants.verifyPath:
            guard secret == nil, case .idle = state else {
                return Outcome(response: RTSPResponse(.badRequest), problem: .wrongOrder)
            }
            result =
                request.uri == PairingConstants.setupPath
                ? exchange.setUp(request.body, &pairings, at: now, using: &generator)
                : exchange.verify(request.body, pairings, using: &generator)
        default: return nil
        }
        secret = result.secret
        var outcome = Outcome(response: RTSPResponse(.badRequest))
        if let reply = result.reply {
            let headers: HTTPHeaders = [HTTPHeaderName.contentType: PairingConstants.contentType]
            outcome.response = RTSPResponse(.ok, headers: headers, body: reply)
        }
        outcome.event = result.isPaired ? .paired : nil
        outcome.problem = result.problem
        outcome.closesConnection = result.closesConnection
        outcome.secret = result.secret
        return outcome
    }

    mutating func setUpEncrypted(_ request: RTSPRequest, isBusy: Bool) -> Outcome {
        guard let eventPort = configuration.airPlay2?.eventPort, secret != nil else {
            let response = RTSPResponse(.connectionAuthorizationRequired)
            return Outcome(response: response, problem: .pairingRequired)
        }
        guard !isBusy else { return Outcome(response: RTSPResponse(.notEnoughBandwidth), problem: .busy) }
        guard let body = PropertyList(request.body) else {
            return Outcome(response: RTSPResponse(.badRequest), problem: .malformedSetup)
        }
        do throws(StreamSetup.Failure) {
            switch state {
            case .idle where !StreamSetup.isInside(body):
                let setup = try SessionSetup(body)
                state = .connected(setup)
                sessionSetup = setup
                remoteControl = RemoteControlAddress(request.headers)
                let answer: PropertyList = [
                    "eventPort": .integer(Int128(eventPort)),
                    "timingPort": .integer(Int128(configuration.ports.timingPort)),
                ]
                return Outcome(response: Self.answer(answer))
            case .connected(let session) where StreamSetup.isInside(body):
                let setup = try StreamSetup(body)
                state = .ready
                let ports = StreamTransport(controlPort: setup.controlPort, timingPort: session.timingPort ?? 0)
                return Outcome(
                    response: Self.answer(StreamSetup.answer(configuration.ports)),
                    event: .ready(SessionDescription(format: setup.format), ports, key: setup.key)
                )
            default: return Outcome(response: RTSPResponse(.invalidState), problem: .wrongOrder)
            }
        } catch {
            switch error {
            case .malformed: return Outcome(response: RTSPResponse(.badRequest), problem: .malformedSetup)
            case .unsupportedStream:
                return Outcome(response: RTSPResponse(.unsupportedMediaType), problem: .unsupportedStream)
            case .unsupportedFormat:
                return Outcome(response: RTSPResponse(.unsupportedMediaType), problem: .unsupportedFormat)
            case .unsupportedTiming:
                return Outcome(response: RTSPResponse(.unsupportedMediaType), problem: .unsupportedTiming)
            }
        }
    }
}
