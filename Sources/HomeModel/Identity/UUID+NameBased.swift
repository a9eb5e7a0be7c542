package import Foundation

extension UUID {
    /// Creates the UUID of version 5 for a name within a name space. Equal arguments always give the same UUID.
    ///
    /// Source: RFC 9562, section 5.5.
    package init(nameSpace: UUID, name: String) {
        let digest = withUnsafeBytes(of: nameSpace.uuid) { SHA1.digest(Array($0) + Array(name.utf8)) }
        var bytes = Array(digest.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
