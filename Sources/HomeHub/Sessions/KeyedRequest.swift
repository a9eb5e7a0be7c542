import Foundation
import HomeModel
import HomeStore
import HubAPI

/// A request that carries a key, as the parts of the hub see it that change the logs: what it leads to is stored together
/// with its receipt, so that it is carried out once, whatever happens to the connection and the hub.
struct KeyedRequest: Sendable {
    /// Names the request.
    let key: RequestKey
    /// The digest of what is asked.
    let digest: [UInt8]

    init(_ request: HubRequest, key: UUID, user: UUID, app: String) {
        self.key = RequestKey(user: user, app: app, key: key)
        digest = RequestReceipt.digest(ofMethod: request.method, parameters: request.parameters)
    }

    /// What is stored of the request once it is known what its result will be.
    func receipt(_ result: some Encodable) throws(HubError) -> RequestReceipt {
        do {
            return RequestReceipt(request: key, digest: digest, reply: Array(try JSONEncoder().encode(result)))
        } catch {
            throw HubError(.hubFailure, "The hub could not write its reply: \(error).")
        }
    }
}
