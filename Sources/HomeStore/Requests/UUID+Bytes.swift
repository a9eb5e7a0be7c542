import Foundation

extension UUID {
    /// The 16 bytes, as the database keeps them.
    var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    /// Reads what ``bytes`` gave; nil for anything else.
    init?(bytes: Data) {
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        guard bytes.count == MemoryLayout.size(ofValue: uuid) else { return nil }
        withUnsafeMutableBytes(of: &uuid) { _ = bytes.copyBytes(to: $0) }
        self.init(uuid: uuid)
    }
}
