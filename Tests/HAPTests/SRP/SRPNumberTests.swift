import BigInt
import Testing

@testable import HAP

/// Compares the arithmetic with attaswift's BigInt. The suite is serialized, because concurrent tests contend for the
/// reference counts of the same numbers and take more than twice as long.
@Suite(.serialized) struct SRPNumberTests {
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
            #expect(try number(left).squared.bytes == (left * left % Self.prime).padded)
        }
    }

    @Test func powersAreRight() throws {
        let random = BigUInt.randomInteger(lessThan: Self.prime)
        for base in [0, 1, 5, Self.prime - 1, random] {
            for exponent in [0, 1, 2, 15, 16, 0x1F0F, 0xFFFF] as [BigUInt] {
                let bytes = [0] + Array(exponent.serialize())
                let power = base.power(exponent, modulus: Self.prime).padded
                #expect(try number(base).power(bytes).bytes == power)
                #expect(try SRPNumber.power(of: [number(base)], publicExponent: bytes).bytes == power)
            }
        }
        // Fermat's little theorem, with the longest exponent.
        #expect(try number(random).power((Self.prime - 1).padded).bytes == BigUInt(1).padded)
        #expect(try number(random).power([]).bytes == BigUInt(1).padded)
        #expect(try SRPNumber.power(of: [number(random)], publicExponent: []).bytes == BigUInt(1).padded)
    }

    @Test func aPowerWithASecretOfFullLengthIsRight() throws {
        let base = BigUInt.randomInteger(lessThan: Self.prime)
        let exponent = BigUInt.randomInteger(withExactWidth: 256)
        #expect(
            try number(base).power(Array(exponent.serialize())).bytes
                == base.power(exponent, modulus: Self.prime).padded
        )
    }

    @Test func aPowerWithAPublicExponentOfFullLengthIsRight() throws {
        let base = BigUInt.randomInteger(lessThan: Self.prime)
        let exponents = [
            BigUInt.randomInteger(withExactWidth: 512), (BigUInt(1) << 512) - 1, BigUInt(1) << 511, 0b1_0000_1_00001,
        ]
        for exponent in exponents {
            let power = try SRPNumber.power(of: [number(base)], publicExponent: Array(exponent.serialize())).bytes
            #expect(power == base.power(exponent, modulus: Self.prime).padded)
        }
    }

    @Test func aPublicExponentIsSplitAmongBases() throws {
        let base = BigUInt.randomInteger(lessThan: Self.prime)
        let exponents = [
            0, 1, BigUInt(1) << 255, BigUInt(1) << 256, (BigUInt(1) << 512) - 1,
            BigUInt.randomInteger(withExactWidth: 512),
        ]
        for exponent in exponents {
            let bytes = exponent.serialize()
            let padded = [UInt8](repeating: 0, count: 64 - bytes.count) + bytes
            for count in [2, 4] {
                let bases = (0..<count).reversed().map { part in
                    base.power(BigUInt(1) << (512 / count * part), modulus: Self.prime)
                }
                let power = try SRPNumber.power(of: bases.map(number), publicExponent: padded)
                #expect(power.bytes == base.power(exponent, modulus: Self.prime).padded)
            }
        }
    }

    @Test func powersOfTheGeneratorAreRight() {
        let generator = BigUInt(SRPGroup.generator)
        let random = [64, 192, 250, 256, 257, 320, 512].map { BigUInt.randomInteger(withExactWidth: $0) }
        let edges =
            [0, 1, 2, 63, 64].map { BigUInt(1) << $0 } + [0, 255, (BigUInt(1) << 256) - 1, (BigUInt(1) << 512) - 1]
        for exponent in edges + random {
            let bytes = Array(exponent.serialize())
            let power = generator.power(exponent, modulus: Self.prime).padded
            #expect(SRPNumber.generatorPower(bytes).bytes == power)
            #expect(SRPNumber.generatorPower([0] + bytes.prefix(63)).bytes == power || bytes.count == 64)
        }
        #expect(SRPNumber.generatorPower([]).bytes == BigUInt(1).padded)
    }

    @Test func theGeneratorsPowersAreThoseThatTheyAreSaidToBe() {
        for (index, limbs) in SRPGroup.generatorPowers.enumerated() {
            let power = limbs.reversed().reduce(BigUInt(0)) { $0 << 64 | BigUInt($1) }
            #expect(power == BigUInt(SRPGroup.generator).power(BigUInt(1) << (64 * index), modulus: Self.prime))
        }
        #expect(SRPGroup.generatorPowers.count == 8)
    }

    @Test func exponentsAreMultipliedAndAdded() {
        let largest = [UInt8](repeating: 0xFF, count: 64)
        let random = (0..<20).map { _ in (0..<64).map { _ in UInt8.random(in: 0...255) } }
        for left in [[], [0], [1], [0, 0, 1, 0], [1, 0, 0, 0, 0], largest] + random {
            for (right, addend) in [(largest, Array(largest.prefix(32))), (left, []), (random[0], [7])] {
                let sum = SRPExponent.sum(addend, product: left, right)
                #expect(BigUInt(bytes: sum) == BigUInt(bytes: left) * BigUInt(bytes: right) + BigUInt(bytes: addend))
            }
        }
    }

    private func number(_ integer: BigUInt) throws -> SRPNumber {
        try #require(SRPNumber(integer.padded))
    }
}

extension BigUInt {
    init(bytes: [UInt8]) {
        self = bytes.reduce(0) { $0 << 8 | BigUInt($1) }
    }

    /// The number as 384 bytes, most significant first.
    var padded: [UInt8] {
        let bytes = Array(serialize())
        return [UInt8](repeating: 0, count: 384 - bytes.count) + bytes
    }
}
