import Foundation
import HomeModel
import HomeStore
import HubAPI

/// A request with an idempotency key, as seen by the parts of the hub that change logs.
///
/// The change is stored together with the request's receipt, so that it is made only once, even if the connection
/// closes or the hub restarts.
struct KeyedRequest: Sendable {
    /// The request's key.
    let key: RequestKey
    /// The digest of the request's method and parameters.
    let digest: [UInt8]

    init(_ request: HubRequest, key: UUID, from authority: SessionAuthority, app: String) {
        self.key = RequestKey(sender: Self.sender(authority), app: app, key: key)
        digest = RequestReceipt.digest(ofMethod: request.method, parameters: request.parameters)
    }

    /// Returns the sender of a connection's requests: the user on the hub's machine, or the user on one of their devices.
    private static func sender(_ authority: SessionAuthority) -> UUID {
        guard authority.way != .here else { return authority.user }
        return UUID(nameSpace: authority.user, name: authority.device.uuidString)
    }

    /// Returns the receipt to store once the request's result is known.
    func receipt(_ result: some Encodable) throws(HubError) -> RequestReceipt {
        do {
            return RequestReceipt(request: key, digest: digest, reply: Array(try JSONEncoder().encode(result)))
        } catch {
            throw HubError(.hubFailure, "The hub could not write its reply: \(error).")
        }
    }
}
