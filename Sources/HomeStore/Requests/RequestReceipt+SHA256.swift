import Crypto
package import Foundation
package import HomeModel

extension RequestReceipt {
    /// The digest of what a request asks for, the same in every process.
    package static func digest(ofMethod method: String, parameters: Data) -> [UInt8] {
        var hash = SHA256()
        // Its length first, so that nothing of one can pass for a part of the other.
        hash.update(data: Data("\(method.utf8.count) \(method) ".utf8))
        hash.update(data: parameters)
        return Array(hash.finalize())
    }
}
