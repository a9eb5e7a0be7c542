import Foundation

extension UUID {
    /// The 16 bytes, as the database keeps them.
    var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
