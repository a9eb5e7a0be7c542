/// The Reed–Solomon code of QR codes, over the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1. The roots of the
/// generator are the powers of 2 from 2⁰ (ISO/IEC 18004, 7.5.2).
enum QRCorrection {
    private static let polynomial = 0x11D

    /// Returns the error correction codewords.
    ///
    /// - Parameter count: The number of codewords, 1 or more.
    static func codewords(for data: [UInt8], count: Int) -> [UInt8] {
        let generator = generator(count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= product(generator[index], factor) }
        }
        return remainder
    }

    /// Returns the coefficients from the second highest power down. The coefficient of the highest power is 1.
    private static func generator(_ degree: Int) -> [UInt8] {
        var coefficients = [UInt8](repeating: 0, count: degree)
        coefficients[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in coefficients.indices {
                coefficients[index] = product(coefficients[index], root)
                if index + 1 < degree { coefficients[index] ^= coefficients[index + 1] }
            }
            root = product(root, 2)
        }
        return coefficients
    }

    /// Returns the product in the field.
    static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var result = 0
        for bit in (0..<8).reversed() {
            result <<= 1
            if result > 0xFF { result ^= polynomial }
            if b >> bit & 1 == 1 { result ^= Int(a) }
        }
        return UInt8(result)
    }
}
