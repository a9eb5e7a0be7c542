package import HAP

/// A sender's control connection, as the receiver sees it.
///
/// The session answers requests. It owns no sockets: the caller has the ports, carries the audio, and says whether
/// another sender plays.
package struct ReceiverSession: Sendable {
    /// The frames between receiving and playing that the receiver adds itself.
    static let audioLatency = 11_025
    /// The number of wrong passwords after which the connection is closed.
    private static let attemptLimit = 10
    private static let software = "AirTunes/105.1"
    /// The number of the session. Each connection has one at most.
    private static let number = "1"
    private static let methods = [
        RTSPMethod.announce, .setup, .record, .flush, .teardown, .options, .getParameter, .setParameter, .get, .post,
    ]

    /// The parameters of a receiver.
    package struct Configuration: Sendable {
        /// The receiver's ports.
        package var ports: StreamTransport
        /// The password, or `nil` if anyone may play.
        package var password: String?
        /// The receiver's description and its port for event channels, or `nil` if it only takes classic streams.
        package var airPlay2: (record: ReceiverRecord, eventPort: Int)?

        /// Creates parameters.
        package init(
            ports: StreamTransport,
            password: String? = nil,
            airPlay2: (record: ReceiverRecord, eventPort: Int)? = nil
        ) {
            self.ports = ports
            self.password = password
            self.airPlay2 = airPlay2
        }
    }

    /// A change that the caller acts on.
    package enum Event: Hashable, Sendable {
        /// A stream is set up. It has the sender's ports, and a key if its packets are encrypted.
        case ready(SessionDescription, StreamTransport, key: FrameKey? = nil)
        /// Audio begins, at a packet if the sender says at which.
        case started(StreamPosition?)
        /// Audio before a packet is discarded.
        case flushed(StreamPosition?)
        /// What plays, or the volume, has changed.
        case nowPlaying(NowPlaying)
        /// The stream has ended.
        case ended
        /// A PIN must be shown.
        case pinNeeded(PairingPIN)
        /// A sender has been paired, and the pairings must be kept.
        case paired
    }

    /// The result of a request.
    package struct Outcome: Sendable {
        /// The response to send.
        package var response: RTSPResponse
        /// The change, if any.
        package var event: Event?
        /// The reason for a refusal, if any.
        package var problem: ReceiverProblem?
        /// Whether the connection is closed after the response.
        package var closesConnection = false
        /// The secret, if everything after the response is encrypted.
        package var secret: SessionSecret?
    }

    enum State: Sendable {
        case idle
        case announced(SessionDescription)
        case connected(SessionSetup)
        case ready
        case playing
    }

    /// The sender's remote control service, if it has one.
    package internal(set) var remoteControl: RemoteControlAddress?
    /// What plays.
    package private(set) var nowPlaying = NowPlaying()
    let configuration: Configuration
    private let challenge: DigestChallenge
    var state = State.idle
    /// The session around the streams of AirPlay 2.
    var sessionSetup: SessionSetup?
    private var failedAttempts = 0
    var exchange = PairingExchange()
    /// The secret of an encrypted connection.
    package internal(set) var secret: SessionSecret?

    /// Creates a session at the start of a connection.
    package init(_ configuration: Configuration, using random: inout some RandomNumberGenerator) {
        self.configuration = configuration
        challenge = DigestChallenge(using: &random)
    }

    /// Whether the session has a stream, so that other senders are refused.
    package var hasStream: Bool {
        switch state {
        case .idle, .connected: false
        case .announced, .ready, .playing: true
        }
    }

    /// Whether the session has a stream that hasn't begun to play, so that others are refused for nothing.
    package var isHalfOpen: Bool {
        if case .playing = state { false } else { hasStream }
    }

    /// Whether the sender has set up a session, so that it may open an event channel.
    package var hasSession: Bool { sessionSetup != nil }

    /// Answers a request.
    ///
    /// - Parameter isBusy: Whether another session has a stream.
    package mutating func handle(_ request: RTSPRequest, isBusy: Bool) -> Outcome {
        complete(authenticate(request) ?? demandPairing(request) ?? respond(to: request, isBusy: isBusy), request)
    }

    func complete(_ outcome: Outcome, _ request: RTSPRequest) -> Outcome {
        var outcome = outcome
        if let sequence = request.headers[RTSPHeaderName.sequence] {
            outcome.response.headers.add(RTSPHeaderName.sequence, sequence)
        }
        outcome.response.headers.add(RTSPHeaderName.server, Self.software)
        return outcome
    }

    /// Ends the session, because the connection has closed. Returns the change, if there was a stream.
    package mutating func close() -> Event? {
        defer {
            state = .idle
            sessionSetup = nil
        }
        return hasStream ? .ended : nil
    }

    /// Demands the password. Returns `nil` if the request may pass, as pairing messages and questions do.
    private mutating func authenticate(_ request: RTSPRequest) -> Outcome? {
        guard let password = configuration.password, ![.options, .get].contains(request.method) else { return nil }
        let proof = request.headers[RTSPHeaderName.authorization]
        if let proof, challenge.accepts(proof, password: password, method: request.method) { return nil }
        var outcome = Outcome(
            response: RTSPResponse(.unauthorized, headers: [RTSPHeaderName.authenticate: challenge.header])
        )
        if proof != nil {
            failedAttempts += 1
            outcome.problem = .wrongPassword
            outcome.closesConnection = failedAttempts >= Self.attemptLimit
        }
        return outcome
    }

    private mutating func respond(to request: RTSPRequest, isBusy: Bool) -> Outcome {
        switch request.method {
        case .options:
            let methods = Self.methods.map(\.rawValue).joined(separator: ", ")
            return Outcome(response: RTSPResponse(.ok, headers: [RTSPHeaderName.publicMethods: methods]))
        case .announce: return announce(request, isBusy: isBusy)
        case .setup where Self.hasPropertyList(request): return setUpEncrypted(request, isBusy: isBusy)
        case .setup: return setUp(request)
        case .record: return record(request)
        case .flush: return flush(request)
        case .setParameter: return setParameter(request)
        case .getParameter: return getParameter(request)
        case .teardown: return tearDown(request)
        case .post where request.uri == "/feedback": return Outcome(response: RTSPResponse(.ok))
        case .get where request.uri == "/info": return information()
        case .get, .post: return Outcome(response: RTSPResponse(.notFound))
        default: return Outcome(response: RTSPResponse(.notImplemented), problem: .unknownMethod)
        }
    }

    private mutating func announce(_ request: RTSPRequest, isBusy: Bool) -> Outcome {
        guard !isBusy else { return Outcome(response: RTSPResponse(.notEnoughBandwidth), problem: .busy) }
        guard case .idle = state else { return Outcome(response: RTSPResponse(.invalidState), problem: .wrongOrder) }
        do throws(SessionDescription.Failure) {
            state = .announced(try SessionDescription(String(decoding: request.body, as: UTF8.self)))
            remoteControl = RemoteControlAddress(request.headers)
            return Outcome(response: RTSPResponse(.ok))
        } catch {
            switch error {
            case .malformed: return Outcome(response: RTSPResponse(.badRequest), problem: .malformedAnnouncement)
            case .unsupportedFormat:
                return Outcome(response: RTSPResponse(.unsupportedMediaType), problem: .unsupportedFormat)
            case .encrypted: return Outcome(response: RTSPResponse(.unsupportedMediaType), problem: .encrypted)
            }
        }
    }

    private mutating func setUp(_ request: RTSPRequest) -> Outcome {
        guard case .announced(let description) = state else {
            return Outcome(response: RTSPResponse(.invalidState), problem: .wrongOrder)
        }
        guard let transport = request.headers[RTSPHeaderName.transport].flatMap({ StreamTransport($0) }) else {
            return Outcome(response: RTSPResponse(.unsupportedTransport), problem: .unsupportedTransport)
        }
        state = .ready
        return Outcome(
            response: RTSPResponse(
                .ok,
                headers: [
                    RTSPHeaderName.transport: configuration.ports.header, RTSPHeaderName.session: Self.number,
                ]
            ),
            event: .ready(description, transport)
        )
    }

    private mutating func record(_ request: RTSPRequest) -> Outcome {
        guard case .ready = state else {
            return Outcome(response: RTSPResponse(.invalidState), problem: .wrongOrder)
        }
        state = .playing
        return Outcome(
            response: RTSPResponse(.ok, headers: [RTSPHeaderName.audioLatency: "\(Self.audioLatency)"]),
            event: .started(position(request))
        )
    }

    private func flush(_ request: RTSPRequest) -> Outcome {
        guard case .playing = state else {
            return Outcome(response: RTSPResponse(.invalidState), problem: .wrongOrder)
        }
        return Outcome(response: RTSPResponse(.ok), event: .flushed(position(request)))
    }

    private func position(_ request: RTSPRequest) -> StreamPosition? {
        request.headers[RTSPHeaderName.rtpInfo].flatMap { StreamPosition($0) }
    }

    private mutating func setParameter(_ request: RTSPRequest) -> Outcome {
        guard hasStream else { return Outcome(response: RTSPResponse(.invalidState), problem: .wrongOrder) }
        let type = request.headers[HTTPHeaderName.contentType]?.lowercased() ?? ""
        switch type {
        case StreamParameters.contentType:
            guard let parameters = StreamParameters(String(decoding: request.body, as: UTF8.self)) else {
                return Outcome(response: RTSPResponse(.badRequest), problem: .malformedParameters)
            }
            if let volume = parameters.volume { nowPlaying.volume = volume }
            if let progress = parameters.progress { nowPlaying.progress = progress }
        case TrackMetadata.contentType:
            guard let track = TrackMetadata(request.body) else {
                return Outcome(response: RTSPResponse(.badRequest), problem: .malformedMetadata)
            }
            nowPlaying.track = track
        case "image/none": nowPlaying.artwork = nil
        case _ where type.hasPrefix("image/"):
            nowPlaying.artwork = request.body.isEmpty ? nil : Artwork(contentType: type, bytes: request.body)
        default: return Outcome(response: RTSPResponse(.unsupportedMediaType), problem: .malformedParameters)
        }
        return Outcome(response: RTSPResponse(.ok), event: .nowPlaying(nowPlaying))
    }

    private func getParameter(_ request: RTSPRequest) -> Outcome {
        let names = String(decoding: request.body, as: UTF8.self).split(whereSeparator: \.isNewline)
        let parameters = StreamParameters(volume: names.contains("volume") ? nowPlaying.volume ?? .full : nil)
        return Outcome(
            response: RTSPResponse(
                .ok,
                headers: [HTTPHeaderName.contentType: StreamParameters.contentType],
                body: Array(parameters.text.utf8)
            )
        )
    }

    private mutating func tearDown(_ request: RTSPRequest) -> Outcome {
        let event: Event? = hasStream ? .ended : nil
        nowPlaying = NowPlaying()
        // A body that names streams ends these alone.
        if let sessionSetup, Self.hasPropertyList(request), let body = PropertyList(request.body),
            StreamSetup.isInside(body)
        {
            state = .connected(sessionSetup)
            return Outcome(response: RTSPResponse(.ok), event: event)
        }
        state = .idle
        sessionSetup = nil
        return Outcome(
            response: RTSPResponse(.ok, headers: [HTTPHeaderName.connection: "close"]),
            event: event,
            closesConnection: true
        )
    }
}
