package import HAP

/// A control connection to a receiver, as the sender sees it.
///
/// The session has at most one request outstanding. Queue further ones at any time; each response yields the next
/// request. It owns no sockets.
package struct SenderSession: Sendable {
    private static let user = "iTunes"
    static let software = "Hearth/1.0"
    private static let unlimitedRange = "npt=0-"

    /// The parameters of a stream.
    package struct Configuration: Sendable {
        /// The announcement.
        package var description: SessionDescription
        /// The number of the session.
        package var number: UInt32
        /// Our address and the receiver's.
        package var addresses: (sender: String, receiver: String)
        /// Our ports.
        package var ports: StreamTransport
        /// The first packet.
        package var start: StreamPosition
        /// The password, or `nil` if there is none.
        package var password: String?
        /// Our remote control service.
        package var remoteControl: RemoteControlAddress
        /// What plays, and the volume.
        package var nowPlaying = NowPlaying()
        /// The parameters of AirPlay 2, or `nil` for a classic stream.
        package var encryption: Encryption?
        /// The number of requests that were sent before on the same connection.
        package var sequence = 0

        /// Creates parameters.
        package init(
            description: SessionDescription,
            number: UInt32,
            addresses: (sender: String, receiver: String),
            ports: StreamTransport,
            start: StreamPosition,
            password: String?,
            remoteControl: RemoteControlAddress
        ) {
            self.description = description
            self.number = number
            self.addresses = addresses
            self.ports = ports
            self.start = start
            self.password = password
            self.remoteControl = remoteControl
        }
    }

    /// The parameters of a stream of AirPlay 2, on a connection that is encrypted.
    package struct Encryption: Sendable {
        /// The key of the packets.
        package var key: FrameKey
        /// The sender's device ID.
        package var deviceID: String
        /// The session's UUID.
        package var sessionID: String
        /// The sender's name.
        package var name: String

        /// Creates parameters.
        package init(key: FrameKey, deviceID: String, sessionID: String, name: String) {
            self.key = key
            self.deviceID = deviceID
            self.sessionID = sessionID
            self.name = name
        }
    }

    /// The result of a response.
    package enum Step: Hashable, Sendable {
        /// The receiver has a session: connect to its port for events. Requests follow.
        case openEvents(Int)
        /// The receiver is ready: send audio to its ports. Requests may follow.
        case play(StreamTransport)
        /// The stream has ended.
        case ended
    }

    private enum Purpose: Sendable {
        case announce
        case connect
        case setUp
        case record
        case flush
        case optional
        case tearDown
    }

    private let configuration: Configuration
    private var queue: [(purpose: Purpose, request: RTSPRequest)] = []
    private var outstanding: (purpose: Purpose, request: RTSPRequest)?
    private var sequence = 0
    private var challenge: DigestChallenge?
    private var session: String?
    private var receiverPorts: StreamTransport?
    private var receiverTimingPort = 0

    /// Creates a session that sets up a stream.
    package init(_ configuration: Configuration) {
        self.configuration = configuration
        sequence = configuration.sequence
        if let encryption = configuration.encryption {
            setUp(encryption)
        } else {
            announce()
        }
        let position = configuration.start.header
        add(.record, .record, [RTSPHeaderName.range: Self.unlimitedRange, RTSPHeaderName.rtpInfo: position])
    }

    private mutating func announce() {
        let text = configuration.description.text(
            session: configuration.number,
            sender: configuration.addresses.sender,
            receiver: configuration.addresses.receiver
        )
        add(.announce, .announce, ["Content-Type": "application/sdp"], Array(text.utf8))
        add(.setUp, .setup, [RTSPHeaderName.transport: configuration.ports.header])
    }

    private mutating func setUp(_ encryption: Encryption) {
        let session = SessionSetup(
            deviceID: encryption.deviceID,
            sessionID: encryption.sessionID,
            name: encryption.name,
            timingPort: configuration.ports.timingPort
        )
        let stream = StreamSetup(
            format: configuration.description.format,
            key: encryption.key,
            controlPort: configuration.ports.controlPort,
            connectionID: UInt64(configuration.number)
        )
        let headers: HTTPHeaders = [HTTPHeaderName.contentType: PropertyList.contentType]
        add(.connect, .setup, headers, session.body.bytes)
        add(.setUp, .setup, headers, stream.body.bytes)
    }

    /// The URI of the stream.
    private var uri: String {
        let address = configuration.addresses.sender
        return "rtsp://\(address.contains(":") ? "[\(address)]" : address)/\(configuration.number)"
    }

    private mutating func add(
        _ purpose: Purpose,
        _ method: RTSPMethod,
        _ headers: HTTPHeaders = [:],
        _ body: [UInt8] = [],
        uri: String? = nil
    ) {
        queue.append((purpose, RTSPRequest(method, uri ?? self.uri, headers: headers, body: body)))
    }

    // MARK: Requests

    /// Queues the names, the artwork, the volume and the progress.
    package mutating func set(_ nowPlaying: NowPlaying, at position: StreamPosition) {
        let headers: HTTPHeaders = [RTSPHeaderName.rtpInfo: position.header]
        func typed(_ type: String) -> HTTPHeaders {
            var typed = headers
            typed.add(HTTPHeaderName.contentType, type)
            return typed
        }
        if let volume = nowPlaying.volume { set(StreamParameters(volume: volume)) }
        if nowPlaying.track != TrackMetadata() {
            add(.optional, .setParameter, typed(TrackMetadata.contentType), nowPlaying.track.bytes)
        }
        if let artwork = nowPlaying.artwork {
            add(.optional, .setParameter, typed(artwork.contentType), artwork.bytes)
        }
        if let progress = nowPlaying.progress { set(StreamParameters(progress: progress)) }
    }

    /// Queues a volume or a progress.
    package mutating func set(_ parameters: StreamParameters) {
        add(
            .optional,
            .setParameter,
            [HTTPHeaderName.contentType: StreamParameters.contentType],
            Array(parameters.text.utf8)
        )
    }

    /// Queues the discarding of what hasn't been played.
    package mutating func flush(to position: StreamPosition) {
        add(
            .flush,
            .flush,
            [RTSPHeaderName.range: Self.unlimitedRange, RTSPHeaderName.rtpInfo: position.header]
        )
    }

    /// Queues a sign of life.
    package mutating func keepAlive() {
        add(.optional, .post, uri: "/feedback")
    }

    /// Queues the end of the stream.
    package mutating func tearDown() {
        add(.tearDown, .teardown)
    }

    /// Returns the next request to send, or `nil` if there is none or one is outstanding.
    package mutating func next() -> RTSPRequest? {
        guard outstanding == nil, !queue.isEmpty else { return nil }
        let next = queue.removeFirst()
        outstanding = next
        return complete(next.request)
    }

    /// Adds the headers that all requests have.
    private mutating func complete(_ request: RTSPRequest) -> RTSPRequest {
        var request = request
        sequence += 1
        var headers: HTTPHeaders = [
            RTSPHeaderName.sequence: "\(sequence)",
            RTSPHeaderName.userAgent: Self.software,
            RTSPHeaderName.clientInstance: configuration.remoteControl.id,
            RTSPHeaderName.dacpID: configuration.remoteControl.id,
            RTSPHeaderName.activeRemote: configuration.remoteControl.token,
        ]
        if let session { headers.add(RTSPHeaderName.session, session) }
        if let challenge, let password = configuration.password {
            let proof = challenge.authorization(
                user: Self.user,
                password: password,
                method: request.method,
                uri: request.uri
            )
            headers.add(RTSPHeaderName.authorization, proof)
        }
        for field in request.headers { headers.add(field.name, field.value) }
        request.headers = headers
        return request
    }

    // MARK: Responses

    /// Takes the response to the outstanding request.
    ///
    /// - Throws: ``SenderFailure`` if the receiver refuses the stream.
    package mutating func receive(_ response: RTSPResponse) throws(SenderFailure) -> Step? {
        guard let current = outstanding else { throw .unexpectedResponse }
        outstanding = nil
        if response.status == .unauthorized { return try prove(current, response) }
        guard (200..<300).contains(response.status.rawValue) else {
            switch current.purpose {
            case .optional: return nil
            case .tearDown: return .ended
            case .announce, .connect, .setUp, .record, .flush:
                if response.status == .connectionAuthorizationRequired { throw .pairingRequired }
                let isBusy = response.status == .notEnoughBandwidth
                if isBusy, [.announce, .connect, .setUp].contains(current.purpose) { throw .receiverBusy }
                throw .refused(method: current.request.method.rawValue, status: response.status.rawValue)
            }
        }
        switch current.purpose {
        case .announce, .flush, .optional: return nil
        case .connect:
            guard let answer = PropertyList(response.body), let port = answer["eventPort"]?.integer(as: UInt16.self)
            else { throw .missingPorts }
            receiverTimingPort = answer["timingPort"]?.port ?? 0
            return .openEvents(Int(port))
        case .setUp where configuration.encryption != nil:
            guard let answer = PropertyList(response.body),
                let ports = StreamSetup.ports(answer, timingPort: receiverTimingPort)
            else { throw .missingPorts }
            receiverPorts = ports
            return nil
        case .setUp:
            guard let ports = response.headers[RTSPHeaderName.transport].flatMap({ StreamTransport($0) }),
                ports.audioPort != nil
            else { throw .missingPorts }
            receiverPorts = ports
            session = response.headers[RTSPHeaderName.session]
            return nil
        case .record:
            guard let receiverPorts else { throw .missingPorts }
            set(configuration.nowPlaying, at: configuration.start)
            return .play(receiverPorts)
        case .tearDown: return .ended
        }
    }

    /// Repeats a request with the password.
    private mutating func prove(
        _ current: (purpose: Purpose, request: RTSPRequest),
        _ response: RTSPResponse
    ) throws(SenderFailure) -> Step? {
        guard configuration.password != nil else { throw .passwordRequired }
        guard let challenge = response.headers[RTSPHeaderName.authenticate].flatMap({ DigestChallenge($0) }),
            challenge != self.challenge
        else { throw .wrongPassword }
        // A receiver may replace its random text, but not for each request.
        guard self.challenge == nil || ![.announce, .connect].contains(current.purpose) else { throw .wrongPassword }
        self.challenge = challenge
        queue.insert(current, at: 0)
        return nil
    }
}
