package import Foundation

extension UUID {
    /// Creates the UUID of version 5 for a name within a name space. Equal arguments always give the same UUID.
    ///
    /// Source: RFC 9562, section 5.5.
    package init(nameSpace: UUID, name: String) {
        var name = name
        let words = name.withUTF8 { name in
            SHA1.words(ofMessageWithLength: MemoryLayout<uuid_t>.size + name.count) { message in
                withUnsafeBytes(of: nameSpace.uuid) { message.copyMemory(from: $0) }
                UnsafeMutableRawBufferPointer(rebasing: message[MemoryLayout<uuid_t>.size...])
                    .copyMemory(from: UnsafeRawBufferPointer(name))
            }
        }
        // The version is in the second word, and the variant in the third.
        let second = words.1 & 0xFFFF_0FFF | 0x5000
        let third = words.2 & 0x3FFF_FFFF | 0x8000_0000
        let bytes = (words.0.bigEndian, second.bigEndian, third.bigEndian, words.3.bigEndian)
        self = withUnsafeBytes(of: bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
