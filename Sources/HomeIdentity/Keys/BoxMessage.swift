/// A message that only one ``BoxKey`` opens.
package struct BoxMessage: Hashable, Sendable {
    /// The number of bytes of an encapsulated key.
    package static let encapsulatedKeyByteCount = 1_120
    /// The number of bytes by which the ciphertext is longer than the message.
    package static let tagByteCount = 16

    /// The encapsulated key of HPKE, 1,120 bytes.
    package var encapsulatedKey: [UInt8]
    /// The encrypted message.
    package var ciphertext: [UInt8]

    /// Creates a message from its parts.
    package init(encapsulatedKey: [UInt8], ciphertext: [UInt8]) {
        self.encapsulatedKey = encapsulatedKey
        self.ciphertext = ciphertext
    }
}
