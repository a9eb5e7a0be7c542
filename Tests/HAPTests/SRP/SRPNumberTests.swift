import BigInt
import Testing

@testable import HAP

/// The arithmetic is judged by attaswift's BigInt.
@Suite struct SRPNumberTests {
    static let prime = BigUInt(bytes: SRPGroup.primeBytes)
    static let edges: [BigUInt] = [
        0, 1, 2, 5, prime - 1, prime - 2, prime >> 1, BigUInt(1) << 3008, (BigUInt(1) << 64) - 1,
        (BigUInt(1) << 3072) - prime,
    ]

    @Test func theGroupIsThatOfTheRFC() {
        let group = HAPVectors.all.srp.group
        #expect(SRPGroup.primeBytes == group.N.bytes)
        #expect([SRPGroup.generator] == group.g.bytes)
        #expect(SRPHash.multiplier == HAPVectors.all.srp.k.bytes)
        #expect(SRPHash.groupHash == HAPVectors.all.srp.HN_xor_Hg.bytes)
    }

    @Test func numbersAreReducedOnce() throws {
        let largest = (BigUInt(1) << 3072) - 1
        for integer in Self.edges + [Self.prime, Self.prime + 1, largest] {
            #expect(try number(integer).bytes == (integer % Self.prime).padded)
        }
        #expect(SRPNumber([])?.isZero == true)
        #expect(SRPNumber([UInt8](repeating: 0, count: 384))?.isZero == true)
        #expect(SRPNumber(SRPGroup.primeBytes)?.isZero == true)
        #expect(SRPNumber([1])?.isZero == false)
        #expect(SRPNumber([UInt8](repeating: 0, count: 385)) == nil)
    }

    @Test func sumsDifferencesAndProductsAreRight() throws {
        let random = (0..<6).map { _ in BigUInt.randomInteger(lessThan: Self.prime) }
        for left in Self.edges + random {
            for right in Self.edges + random {
                let a = try number(left)
                let b = try number(right)
                #expect((a + b).bytes == ((left + right) % Self.prime).padded)
                #expect((a - b).bytes == ((left + Self.prime - right) % Self.prime).padded)
                #expect((a * b).bytes == (left * right % Self.prime).padded)
            }
        }
    }

    @Test func powersAreRight() throws {
        let random = BigUInt.randomInteger(lessThan: Self.prime)
        for base in [0, 1, 5, Self.prime - 1, random] {
            for exponent in [0, 1, 2, 15, 16, 0x1F0F, 0xFFFF] as [BigUInt] {
                let bytes = [0] + Array(exponent.serialize())
                #expect(try number(base).power(bytes).bytes == base.power(exponent, modulus: Self.prime).padded)
            }
        }
        // Fermat: the longest exponent there is.
        #expect(try number(random).power((Self.prime - 1).padded).bytes == BigUInt(1).padded)
        #expect(try number(random).power([]).bytes == BigUInt(1).padded)
    }

    @Test func aPowerWithASecretOfFullLengthIsRight() throws {
        let base = BigUInt.randomInteger(lessThan: Self.prime)
        let exponent = BigUInt.randomInteger(withExactWidth: 256)
        #expect(
            try number(base).power(Array(exponent.serialize())).bytes
                == base.power(exponent, modulus: Self.prime).padded
        )
    }

    private func number(_ integer: BigUInt) throws -> SRPNumber {
        try #require(SRPNumber(integer.padded))
    }
}

extension BigUInt {
    init(bytes: [UInt8]) {
        self = bytes.reduce(0) { $0 << 8 | BigUInt($1) }
    }

    /// 384 bytes, most significant first.
    var padded: [UInt8] {
        let bytes = Array(serialize())
        return [UInt8](repeating: 0, count: 384 - bytes.count) + bytes
    }
}
