internal import Crypto

/// The hashes of SRP-6a as HAP uses it, all SHA-512.
enum SRPHash {
    /// The length of a hash, hence of x, u, K and the proofs, in bytes.
    static let length = SHA512.byteCount

    /// Whether numbers are hashed with their leading zero bytes. The reference implementation leaves them out of A, B
    /// and S where M1 and K are made; other implementations keep them. They differ for one number in 256.
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

    /// The hash of N, each byte XORed with that of the hash of the one byte g.
    static let groupHash = zip(hash(SRPGroup.primeBytes), hash([SRPGroup.generator])).map { $0 ^ $1 }

    /// x: what the password stands for.
    static func passwordHash(username: String, password: String, salt: [UInt8]) -> [UInt8] {
        hash(salt, hash(Array("\(username):\(password)".utf8)))
    }

    /// u: what keeps either side from choosing its key to suit the other's.
    static func scrambler(clientKey: [UInt8], serverKey: [UInt8]) -> [UInt8] {
        hash(pad(clientKey), pad(serverKey))
    }

    /// K: the session key.
    static func sessionKey(secret: [UInt8], form: Form) -> [UInt8] {
        hash(form(secret))
    }

    /// M1: the client's proof. The keys are hashed as they are given.
    static func clientProof(
        username: String,
        salt: [UInt8],
        clientKey: [UInt8],
        serverKey: [UInt8],
        sessionKey: [UInt8]
    ) -> [UInt8] {
        hash(groupHash, hash(Array(username.utf8)), salt, clientKey, serverKey, sessionKey)
    }

    /// M2: the server's proof.
    static func serverProof(clientKey: [UInt8], clientProof: [UInt8], sessionKey: [UInt8]) -> [UInt8] {
        hash(pad(clientKey), clientProof, sessionKey)
    }

    /// Leading zero bytes added to make 384 bytes.
    static func pad(_ number: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: max(0, SRPGroup.byteCount - number.count)) + number
    }

    /// SHA-512 over all parts in a row.
    static func hash(_ parts: [UInt8]...) -> [UInt8] {
        var hash = SHA512()
        for part in parts {
            hash.update(data: part)
        }
        return Array(hash.finalize())
    }
}
