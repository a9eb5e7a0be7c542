internal import HAP
internal import HAPCatalog

/// Pair-verify over HTTP: two requests and their responses.
struct VerifyExchange {
    /// The next step.
    enum Step {
        case send(HTTPRequest)
        /// Secure the connection with these keys.
        case secured(SessionKeys)
        case failed(UnreachableCause)
    }

    private var controller: PairVerifyController
    private let host: String
    private var awaitsM2 = true

    init(_ controller: PairVerifyController, host: String) {
        self.controller = controller
        self.host = host
    }

    init(pairing: AccessoryPairing, host: String) {
        self.init(
            PairVerifyController(identity: pairing.controllerIdentity, accessory: pairing.accessory),
            host: host
        )
    }

    /// Returns M1.
    mutating func start() -> HTTPRequest {
        var generator = SystemRandomNumberGenerator()
        return request(controller.start(using: &generator))
    }

    /// Handles M2, then M4.
    mutating func handle(_ response: HTTPResponse) -> Step {
        guard response.status == .ok || response.isPairingMessage else {
            // An accessory without pairings rejects pair-verify.
            if response.saysNotVerified { return .failed(refusal) }
            return .failed(UnreachableCause(refusing: response.status))
        }
        do {
            if awaitsM2 {
                let m3 = try controller.handleM2(response.body)
                awaitsM2 = false
                return .send(request(m3))
            }
            return .secured(try controller.handleM4(response.body))
        } catch {
            return .failed(error.code == .notAuthorized ? refusal : UnreachableCause(verifying: error))
        }
    }

    /// The cause if the pairing is rejected. Once M2 is verified, the accessory is authenticated.
    private var refusal: UnreachableCause { awaitsM2 ? .pairingRefused : .pairingForgotten }

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

extension UnreachableCause {
    /// Creates a cause from the HTTP status of the response to pair-verify.
    fileprivate init(refusing status: HTTPStatus) {
        self =
            switch status {
            case .tooManyRequests, .serviceUnavailable: .busy("it answered with HTTP status \(status)")
            default: .httpError(status.rawValue)
            }
    }

    /// Creates a cause from a failure of pair-verify.
    fileprivate init(verifying failure: PairingFailure) {
        self =
            switch failure.code {
            case .otherAccessory: .otherAccessory
            case .otherKey: .identityChanged
            case .busy, .mustWait, .noRoom: .busy(failure.reason)
            default: .verifyFailed(failure.reason)
            }
    }
}
