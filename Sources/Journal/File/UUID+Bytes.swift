import Foundation

extension UUID {
    /// The 16 bytes, as the journal stores them.
    var bytes: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    /// Creates a UUID from its 16 ``bytes``; `nil` if the length is different.
    init?(bytes: Data) {
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        guard bytes.count == MemoryLayout.size(ofValue: uuid) else { return nil }
        withUnsafeMutableBytes(of: &uuid) { _ = bytes.copyBytes(to: $0) }
        self.init(uuid: uuid)
    }
}
