import HAP

/// The purpose of a signature. It is part of the signed bytes, so that a signature for one purpose isn't valid for another.
package struct SigningContext: Hashable, Sendable {
    /// The purpose in ASCII, without a zero byte.
    package let text: String

    /// Creates a context from its text.
    package init(_ text: String) {
        self.text = text
    }

    /// Returns the bytes that are signed: the context, a zero byte and the message.
    func input(_ message: [UInt8]) -> [UInt8] { Array(text.utf8) + [0] + message }
}

extension PublicKey {
    /// Returns whether the key's owner has signed a message for a purpose.
    package func isValid(_ signature: [UInt8], of message: [UInt8], for context: SigningContext) -> Bool {
        LongTermPublicKey(bytes)?.isValidSignature(signature, for: context.input(message)) ?? false
    }
}
