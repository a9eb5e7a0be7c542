extension SRPNumber {
    /// The number of exponent bits that one product handles.
    private static let windowBits = 4

    /// Returns the number raised to an exponent, given most significant byte first. The time depends only on the number
    /// of bytes.
    func power(_ exponent: [UInt8]) -> SRPNumber {
        var table = [SRPNumber.one, self]
        while table.count < 1 << Self.windowBits {
            table.append(table[table.count - 1] * self)
        }
        var result = SRPNumber.one
        for byte in exponent {
            for window in [byte >> Self.windowBits, byte & (1 << Self.windowBits - 1)] {
                for _ in 0..<Self.windowBits {
                    result = result.squared
                }
                result = result * Self.select(UInt64(window), from: table)
            }
        }
        return result
    }

    /// Returns the generator g raised to an exponent of up to 64 bytes, in less than half the time of ``power(_:)``.
    ///
    /// The exponent is split into limbs, each of which is the exponent of another power of g. One squaring and one
    /// product handle one bit of four limbs (Lim and Lee's comb method).
    static func generatorPower(_ exponent: [UInt8]) -> SRPNumber {
        let limbs = stride(from: exponent.count, to: 0, by: -MemoryLayout<UInt64>.size).map { end in
            exponent[max(0, end - MemoryLayout<UInt64>.size)..<end].reduce(UInt64(0)) {
                $0 << UInt8.bitWidth | UInt64($1)
            }
        }
        precondition(limbs.count <= SRPGroup.generatorPowers.count)
        var result = one
        for bit in (0..<UInt64(UInt64.bitWidth)).reversed() {
            result = result.squared
            for first in stride(from: 0, to: limbs.count, by: windowBits) {
                var window: UInt64 = 0
                for position in 0..<min(windowBits, limbs.count - first) {
                    window |= (limbs[first + position] &>> bit & 1) &<< UInt64(position)
                }
                result = result * select(window, from: generatorTables[first / windowBits])
            }
        }
        return result
    }

    /// The products of all subsets of each four ``SRPGroup/generatorPowers``.
    private static let generatorTables: [[SRPNumber]] = {
        let powers = SRPGroup.generatorPowers.map { SRPNumber(integer: $0) }
        return stride(from: 0, to: powers.count, by: windowBits).map { first in
            powers[first..<first + windowBits].reduce([one]) { table, power in
                table + [power] + table.dropFirst().map { $0 * power }
            }
        }
    }()

    /// Returns a number raised to a public exponent, given most significant byte first. It is faster than
    /// ``power(_:)``, but its time depends on the exponent. The number itself may be secret.
    ///
    /// The exponent is split into as many parts of equal length as there are bases. One squaring handles a bit of each
    /// part.
    ///
    /// - Parameter bases: The bases of the parts. The last is the number itself, and each is the next one raised to 2^n,
    ///   where n is the number of bits of a part.
    static func power(of bases: [SRPNumber], publicExponent: [UInt8]) -> SRPNumber {
        let partLength = publicExponent.count / bases.count
        precondition(publicExponent.count == partLength * bases.count)
        let tables = bases.map(\.oddPowers)
        let windows = bases.indices.map { part in
            Self.windows(of: publicExponent.dropFirst(part * partLength).prefix(partLength))
        }
        var result = one
        for bit in 0..<partLength * UInt8.bitWidth {
            result = result.squared
            for (table, windows) in zip(tables, windows) where windows[bit] > 0 {
                result = result * table[windows[bit] >> 1]
            }
        }
        return result
    }

    /// The number to the powers 1, 3, 5 and so on.
    private var oddPowers: [SRPNumber] {
        let square = squared
        var powers = [self]
        while powers.count < 1 << Self.windowBits {
            powers.append(powers[powers.count - 1] * square)
        }
        return powers
    }

    /// Returns for each bit of a public exponent the odd factor whose last bit it is, or 0.
    private static func windows(of exponent: ArraySlice<UInt8>) -> [Int] {
        let bits = exponent.flatMap { byte in (0..<UInt8.bitWidth).reversed().map { Int(byte >> $0) & 1 } }
        var windows = [Int](repeating: 0, count: bits.count)
        var rest = bits[...]
        // A window begins and ends with a set bit.
        while let start = rest.firstIndex(of: 1),
            let end = rest[start...].prefix(windowBits + 1).lastIndex(of: 1)
        {
            windows[end] = rest[start...end].reduce(0) { $0 << 1 | $1 }
            rest = rest[(end + 1)...]
        }
        return windows
    }
}
