internal import Crypto

/// A key derivation with HKDF-SHA-512. The protocol defines a salt and info for each use.
public struct KeyDerivation: Hashable, Sendable {
    /// The HKDF salt, ASCII.
    public let salt: String
    /// The HKDF info, ASCII.
    public let info: String

    /// Creates a derivation with the given salt and info.
    public init(salt: String, info: String) {
        self.salt = salt
        self.info = info
    }

    /// From K: encrypts M5 and M6 of pair-setup.
    public static let pairSetupEncryption = KeyDerivation(
        salt: "Pair-Setup-Encrypt-Salt",
        info: "Pair-Setup-Encrypt-Info"
    )
    /// From K: the prefix of what the controller signs in M5 of pair-setup.
    public static let pairSetupControllerSignature = KeyDerivation(
        salt: "Pair-Setup-Controller-Sign-Salt",
        info: "Pair-Setup-Controller-Sign-Info"
    )
    /// From K: the prefix of what the accessory signs in M6 of pair-setup.
    public static let pairSetupAccessorySignature = KeyDerivation(
        salt: "Pair-Setup-Accessory-Sign-Salt",
        info: "Pair-Setup-Accessory-Sign-Info"
    )
    /// From the X25519 secret: encrypts M2 and M3 of pair-verify.
    public static let pairVerifyEncryption = KeyDerivation(
        salt: "Pair-Verify-Encrypt-Salt",
        info: "Pair-Verify-Encrypt-Info"
    )
    /// From the X25519 secret: encrypts the accessory's messages (the controller's reads).
    public static let accessoryToController = KeyDerivation(
        salt: "Control-Salt",
        info: "Control-Read-Encryption-Key"
    )
    /// From the X25519 secret: encrypts the controller's messages (its writes).
    public static let controllerToAccessory = KeyDerivation(
        salt: "Control-Salt",
        info: "Control-Write-Encryption-Key"
    )

    /// From K of a transient pair-setup: encrypts the accessory's messages.
    public static let transientAccessoryToController = KeyDerivation(
        salt: "SplitSetupSalt",
        info: "AccessoryEncrypt-Control"
    )
    /// From K of a transient pair-setup: encrypts the controller's messages.
    public static let transientControllerToAccessory = KeyDerivation(
        salt: "SplitSetupSalt",
        info: "ControllerEncrypt-Control"
    )

    /// The default length of a derived key in bytes.
    public static let keyLength = 32

    /// Derives key bytes from a shared secret.
    public func derive(from secret: [UInt8], count: Int = KeyDerivation.keyLength) -> [UInt8] {
        Self.derive(from: secret, salt: Array(salt.utf8), info: Array(info.utf8), count: count)
    }

    /// Derives the keys of two derivations with the same salt, for which half of the work is done once.
    static func keys(
        of first: KeyDerivation,
        _ second: KeyDerivation,
        from secret: [UInt8]
    ) -> (first: [UInt8], second: [UInt8]) {
        precondition(first.salt == second.salt)
        let key = extract(from: secret, salt: Array(first.salt.utf8))
        return (
            expand(key, info: Array(first.info.utf8), count: keyLength),
            expand(key, info: Array(second.info.utf8), count: keyLength)
        )
    }

    /// Returns the output of HKDF-SHA-512 (RFC 5869).
    ///
    /// It uses the library's hash directly, because the library's HKDF takes three times as long as the hashing: it is
    /// generic, and the library doesn't specialize it.
    static func derive(from secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        expand(extract(from: secret, salt: salt), info: info, count: count)
    }

    /// Returns the pseudorandom key of a secret (RFC 5869, section 2.2).
    private static func extract(from secret: [UInt8], salt: [UInt8]) -> [UInt8] {
        authenticationCode(key: salt) { $0.update(secret) }
    }

    /// Returns the bytes that a pseudorandom key expands to (RFC 5869, section 2.3).
    private static func expand(_ key: [UInt8], info: [UInt8], count: Int) -> [UInt8] {
        precondition((0...maximumCount).contains(count))
        var output: [UInt8] = []
        var block: [UInt8] = []
        var number: UInt8 = 0
        while output.count < count {
            number += 1
            block = authenticationCode(key: key) { code in
                code.update(block)
                code.update(info)
                withUnsafeBytes(of: number) { code.update(bufferPointer: $0) }
            }
            output += block
        }
        output.removeLast(output.count - count)
        return output
    }

    /// The number of bytes that can be derived.
    private static let maximumCount = Int(UInt8.max) * SHA512.byteCount

    /// Returns the HMAC-SHA-512 (RFC 2104) of a message.
    ///
    /// - Parameter message: A closure that adds the message.
    private static func authenticationCode(key: [UInt8], message: (inout SHA512) -> Void) -> [UInt8] {
        let key = key.count > SHA512.blockByteCount ? SRPHash.hash(key) : key
        return withUnsafeTemporaryAllocation(byteCount: SHA512.blockByteCount, alignment: 16) { block in
            func hash(padding: UInt8) -> SHA512 {
                for index in block.indices { block[index] = padding }
                for (index, byte) in key.enumerated() { block[index] = byte ^ padding }
                var hash = SHA512()
                hash.update(bufferPointer: UnsafeRawBufferPointer(block))
                return hash
            }
            var inner = hash(padding: 0x36)
            message(&inner)
            var outer = hash(padding: 0x5C)
            inner.finalize().withUnsafeBytes { outer.update(bufferPointer: $0) }
            return outer.finalize().withUnsafeBytes { Array($0) }
        }
    }
}

extension SHA512 {
    fileprivate mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { update(bufferPointer: $0) }
    }
}
