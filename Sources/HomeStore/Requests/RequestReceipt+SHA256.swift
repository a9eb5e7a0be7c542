import Crypto
package import Foundation
package import HomeModel

extension RequestReceipt {
    /// Returns the digest of a request, which is the same in every process.
    package static func digest(ofMethod method: String, parameters: Data) -> [UInt8] {
        var hash = SHA256()
        // The length comes first, so that a part of one can't be mistaken for a part of the other.
        hash.update(data: Data("\(method.utf8.count) \(method) ".utf8))
        hash.update(data: parameters)
        return Array(hash.finalize())
    }
}
