import HAP
import HAPCatalog

/// A controller's connection to a server. All servers are measured with this implementation.
///
/// This is a class because a connection's counters must not be copied.
final class ControllerConnection {
    let socket: Socket
    private let host: String
    private var reader = HTTPResponseReader()
    private var sealer: FrameSealer?
    private var opener: FrameOpener?

    init(port: Int) throws {
        socket = try Socket(port: port)
        host = "127.0.0.1:\(port)"
    }

    func ask(_ request: HTTPRequest) throws -> HTTPResponse {
        try send(request)
        while true {
            if case .response(let response) = try next() { return response }
        }
    }

    func send(_ request: HTTPRequest) throws {
        try socket.send(try seal(request))
    }

    /// Waits for the next response or event.
    func next() throws -> HTTPResponseReader.Message {
        while true {
            if let message = try reader.next() { return message }
            try take(try socket.receive())
        }
    }

    /// Returns the bytes of an encrypted request. Requests must be sent in the order of encryption.
    func seal(_ request: HTTPRequest) throws -> [UInt8] {
        let bytes = request.encoded()
        return try sealer?.seal(bytes) ?? bytes
    }

    /// Processes bytes that were received directly from the socket. ``next()`` returns their messages.
    func take(_ bytes: some Collection<UInt8>) throws {
        if opener == nil {
            reader.receive(bytes)
        } else {
            reader.receive(try opener?.open(bytes) ?? [])
        }
    }

    private func post(_ path: String, _ body: [UInt8]) throws -> [UInt8] {
        let request = HTTPRequest(.post, path, host: host, contentType: HAPContentType.pairing, body: body)
        let response = try ask(request)
        guard response.status == .ok else { throw BenchFailure("\(path) returned \(response.status)") }
        return response.body
    }
}

// MARK: Controller operations

extension ControllerConnection {
    func pair(_ controller: ControllerIdentity, code: SetupCode) throws -> PairedAccessory {
        var random = SystemRandomNumberGenerator()
        let path = HAPEndpoint.pairSetup.path
        var exchange = PairSetupController(identity: controller, setupCode: code, expecting: nil)
        let m3 = try exchange.handleM2(try post(path, exchange.start()), using: &random)
        let m5 = try exchange.handleM4(try post(path, m3))
        return try exchange.handleM6(try post(path, m5))
    }

    func verify(_ controller: ControllerIdentity, _ accessory: PairedAccessory) throws {
        var random = SystemRandomNumberGenerator()
        let path = HAPEndpoint.pairVerify.path
        var exchange = PairVerifyController(identity: controller, accessory: accessory)
        let m3 = try exchange.handleM2(try post(path, exchange.start(using: &random)))
        let keys = try exchange.handleM4(try post(path, m3))
        sealer = FrameSealer(key: keys.controllerToAccessory)
        opener = FrameOpener(key: keys.accessoryToController)
    }

    /// Removes a pairing: the connection's own.
    func removePairing(of controller: ControllerIdentity) throws {
        let request = PairingsRequest.remove(controller.pairingID)
        let response = try PairingsResponse(
            decoding: try post(HAPEndpoint.pairings.path, request.encoded()),
            to: request
        )
        guard case .done = response else { throw BenchFailure("the pairing wasn't removed: \(response)") }
    }

    func read(_ ids: CharacteristicID...) -> HTTPRequest {
        read(ids)
    }

    func read(_ ids: [CharacteristicID]) -> HTTPRequest {
        CharacteristicReadRequest(ids: ids).request(host: host)
    }

    func write(_ id: CharacteristicID, _ value: CharacteristicValue?, events: Bool? = nil) -> HTTPRequest {
        CharacteristicWriteRequest(entries: [.init(id: id, value: value, events: events)]).request(host: host)
    }

    func write(_ entries: [CharacteristicWriteRequest.Entry]) -> HTTPRequest {
        CharacteristicWriteRequest(entries: entries).request(host: host)
    }

    var accessories: HTTPRequest {
        HTTPRequest(.get, HAPEndpoint.accessories.path, host: host)
    }
}
