internal import Crypto

/// The hashes of SRP-6a as used by HAP, all SHA-512.
enum SRPHash {
    /// The length of a hash, hence of x, u, K and the proofs, in bytes.
    static let length = SHA512.byteCount

    /// The form in which numbers are hashed: with or without leading zero bytes. The reference implementation strips
    /// them from A, B and S to compute M1 and K; other implementations don't. The forms differ for one number in 256.
    enum Form: CaseIterable {
        case stripped
        case padded

        func callAsFunction(_ number: [UInt8]) -> [UInt8] {
            switch self {
            case .stripped: Array(number.drop { $0 == 0 })
            case .padded: SRPHash.pad(number)
            }
        }
    }

    /// k: the hash of N and the padded g.
    static let multiplier = hash(SRPGroup.primeBytes, pad([SRPGroup.generator]))

    /// The hash of N XOR the hash of the single byte g.
    static let groupHash = zip(hash(SRPGroup.primeBytes), hash([SRPGroup.generator])).map { $0 ^ $1 }

    /// Returns x, which is derived from the password.
    static func passwordHash(username: String, password: String, salt: [UInt8]) -> [UInt8] {
        hash(salt, hash(Array("\(username):\(password)".utf8)))
    }

    /// Returns u, which prevents either side from choosing its key depending on the other's.
    static func scrambler(clientKey: [UInt8], serverKey: [UInt8]) -> [UInt8] {
        hash(pad(clientKey), pad(serverKey))
    }

    /// Returns K, the session key.
    static func sessionKey(secret: [UInt8], form: Form) -> [UInt8] {
        hash(form(secret))
    }

    /// Returns M1, the client's proof. The keys are hashed as given.
    static func clientProof(
        username: String,
        salt: [UInt8],
        clientKey: [UInt8],
        serverKey: [UInt8],
        sessionKey: [UInt8]
    ) -> [UInt8] {
        hash(groupHash, hash(Array(username.utf8)), salt, clientKey, serverKey, sessionKey)
    }

    /// Returns M2, the server's proof.
    static func serverProof(clientKey: [UInt8], clientProof: [UInt8], sessionKey: [UInt8]) -> [UInt8] {
        hash(pad(clientKey), clientProof, sessionKey)
    }

    /// Returns the number padded with leading zero bytes to 384 bytes.
    static func pad(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, SRPGroup.byteCount - number.count)) + number
    }

    /// Returns the SHA-512 hash of the concatenated parts.
    static func hash(_ parts: [UInt8]...) -> [UInt8] {
        var hash = SHA512()
        for part in parts {
            part.withUnsafeBytes { hash.update(bufferPointer: $0) }
        }
        return hash.finalize().withUnsafeBytes { Array($0) }
    }
}
