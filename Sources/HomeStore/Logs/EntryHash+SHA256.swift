import Crypto
import HomeModel

extension EntryHash {
    /// Creates the hash of an encoded entry.
    init?(of encoded: [UInt8]) {
        self.init(Array(SHA256.hash(data: encoded)))
    }
}
