internal import HAP
internal import HAPCatalog

/// Pair-verify as it goes over HTTP: two requests and their answers.
struct VerifyExchange {
    /// What to do next.
    enum Step {
        case send(HTTPRequest)
        /// Secure the connection with these keys.
        case secured(SessionKeys)
        case failed(UnreachableCause)
    }

    private var controller: PairVerifyController
    private let host: String
    private var awaitsM2 = true

    init(pairing: AccessoryPairing, host: String) {
        controller = PairVerifyController(identity: pairing.controllerIdentity, accessory: pairing.accessory)
        self.host = host
    }

    /// M1.
    mutating func start() -> HTTPRequest {
        var generator = SystemRandomNumberGenerator()
        return request(controller.start(using: &generator))
    }

    /// Takes M2, then M4.
    mutating func handle(_ response: HTTPResponse) -> Step {
        guard response.status == .ok || response.headers[HTTPHeaderName.contentType] == HAPContentType.pairing else {
            return .failed(.verifyFailed("it answered HTTP \(response.status)"))
        }
        do {
            if awaitsM2 {
                awaitsM2 = false
                return .send(request(try controller.handleM2(response.body)))
            }
            return .secured(try controller.handleM4(response.body))
        } catch {
            return .failed(error.code == .notAuthorized ? .pairingForgotten : .verifyFailed(error.reason))
        }
    }

    private func request(_ body: [UInt8]) -> HTTPRequest {
        HTTPRequest(
            .post,
            HAPEndpoint.pairVerify.path,
            host: host,
            contentType: HAPContentType.pairing,
            body: body
        )
    }
}
