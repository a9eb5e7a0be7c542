import Crypto
import HomeModel

extension EntryHash {
    /// The hash of an entry's bytes.
    init?(of encoded: [UInt8]) {
        self.init(Array(SHA256.hash(data: encoded)))
    }
}
