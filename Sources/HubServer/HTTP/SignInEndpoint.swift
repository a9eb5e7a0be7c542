import Foundation
import HomeHub
import HubAPI
import HummingbirdCore
import NIOCore
import WebServer

/// Signs devices in and out, and renews their tokens.
struct SignInEndpoint: Sendable {
    /// A path that this part serves.
    enum Path: String, CaseIterable {
        case login = "/login"
        case renew = "/renew"
        case logout = "/logout"
    }

    private let hub: HomeHub
    private let limits: HTTPLimits

    init(hub: HomeHub, limits: HTTPLimits) {
        self.hub = hub
        self.limits = limits
    }

    /// Responds to a `POST` request.
    func answer(to request: inout Request, _ path: Path, _ channel: any Channel) async -> HTTPAnswer {
        let reader = RequestBodyReader(time: limits.bodyTime)
        switch await reader.json(of: &request, upTo: limits.signInBytes, channel) {
        case .failure(let refusal): return refusal.answer
        case .success(let body):
            do throws(HubError) {
                switch path {
                case .login: return try await signIn(body, from: channel)
                case .renew: return try await renew(body)
                case .logout:
                    try await hub.signOut(request.token)
                    return HTTPAnswer(json: "{}")
                }
            } catch {
                return HTTPAnswer(error)
            }
        }
    }

    private func signIn(_ body: ByteBuffer, from channel: any Channel) async throws(HubError) -> HTTPAnswer {
        let body = try body.decoded(as: SignInBody.self)
        let signIn = try await hub.signIn(
            code: body.code,
            name: body.name ?? "",
            staysSignedIn: body.staySignedIn ?? false,
            from: channel.remoteAddress?.network ?? ""
        )
        return try Self.answer(signIn)
    }

    private func renew(_ body: ByteBuffer) async throws(HubError) -> HTTPAnswer {
        try Self.answer(try await hub.renewSignIn(try body.decoded(as: RenewalBody.self).credential))
    }

    private static func answer(_ signIn: SignIn) throws(HubError) -> HTTPAnswer {
        let body = SignInReply(
            token: signIn.token,
            expiresIn: signIn.expiresIn,
            credential: signIn.credential,
            user: SignInReply.User(name: signIn.userName),
            device: signIn.device
        )
        do {
            return HTTPAnswer(json: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
        } catch {
            throw HubError(.hubFailure, "The hub could not write its reply: \(error).")
        }
    }
}
