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

    /// Returns the number raised to a public exponent, given most significant byte first. It is faster than
    /// ``power(_:)``, but its time depends on the exponent. The number itself may be secret.
    func power(publicExponent: [UInt8]) -> SRPNumber {
        // The odd powers, because a window begins and ends with a set bit.
        var table = [self]
        let square = squared
        while table.count < 1 << Self.windowBits {
            table.append(table[table.count - 1] * square)
        }
        let bits = publicExponent.flatMap { byte in (0..<UInt8.bitWidth).reversed().map { Int(byte >> $0) & 1 } }
        var result = SRPNumber.one
        var rest = bits[...]
        while let first = rest.first {
            var window = rest.prefix(first == 0 ? 1 : Self.windowBits + 1)
            if first == 1, let last = window.lastIndex(of: 1) { window = window[...last] }
            for _ in window {
                result = result.squared
            }
            if first == 1 { result = result * table[window.reduce(0) { $0 << 1 | $1 } >> 1] }
            rest = rest.dropFirst(window.count)
        }
        return result
    }
}
