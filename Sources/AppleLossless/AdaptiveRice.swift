/// The entropy coder's adaptive state: the mean of the recent residuals, which selects the Rice parameter.
///
/// A value is a unary quotient, at most eight ones and a zero, and a remainder; larger values follow nine ones as they
/// are. After small residuals, the length of a run of zeros is coded.
struct AdaptiveRice {
    private static let maximumQuotient: UInt32 = 8
    private static let historyLimit: UInt32 = 0xFFFF
    private static let historyShift: UInt32 = 9
    private static let runThreshold: UInt32 = 128
    private static let runBits = 16

    private let multiplier: UInt32
    private let limit: UInt32
    /// The number of bits of a value that is coded as it is.
    private let valueBits: Int
    private var history: UInt32
    /// 1 if the next value can't be zero, because it follows a run of zeros, otherwise 0.
    private var bias: UInt32 = 0

    /// Creates the state at the start of a packet's channel.
    ///
    /// - Parameters:
    ///   - modifier: The packet's factor for the speed of adaptation, 0 to 7, in quarters.
    ///   - valueBits: The number of bits of a residual.
    init(_ configuration: AppleLosslessConfiguration, modifier: Int, valueBits: Int) {
        multiplier = UInt32(modifier * configuration.historyMultiplier / 4)
        limit = UInt32(configuration.riceLimit)
        history = UInt32(configuration.initialHistory)
        self.valueBits = valueBits
    }

    private var valueParameter: UInt32 {
        // The logarithm to base 2, rounded down.
        min(31 - UInt32(((history >> Self.historyShift) + 3).leadingZeroBitCount), limit)
    }

    private var runParameter: UInt32 {
        min(UInt32(history.leadingZeroBitCount) - 24 + ((history + 16) >> 6), limit)
    }

    private mutating func adapt(to value: UInt32) {
        guard value <= Self.historyLimit else {
            history = Self.historyLimit
            return
        }
        history = history &+ value &* multiplier &- ((history &* multiplier) >> Self.historyShift)
    }

    // MARK: Decoding

    /// Decodes the residuals of a channel.
    mutating func decode(
        _ reader: inout BitReader,
        into residuals: inout [Int32],
        count: Int
    ) throws(AppleLosslessError) {
        var index = 0
        while index < count {
            let value = readScalar(&reader, valueParameter, valueBits) &+ bias
            bias = 0
            residuals[index] = Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
            index += 1
            adapt(to: value)
            if history < Self.runThreshold, index < count {
                let run = Int(readScalar(&reader, runParameter, Self.runBits))
                guard run <= count - index else { throw .invalidRun }
                for zero in index..<index + run { residuals[zero] = 0 }
                index += run
                bias = 1
                history = 0
            }
            guard !reader.isExhausted else { throw .truncatedPacket }
        }
    }

    @inline(__always)
    private func readScalar(_ reader: inout BitReader, _ parameter: UInt32, _ bits: Int) -> UInt32 {
        let quotient = UInt32((~reader.peek(9) << 23).leadingZeroBitCount)
        guard quotient <= Self.maximumQuotient else {
            reader.skip(9)
            return reader.read(bits)
        }
        reader.skip(Int(quotient) + 1)
        guard parameter > 1 else { return quotient }
        // A remainder of 0 takes a bit less; 1 isn't used.
        let remainder = reader.peek(Int(parameter))
        reader.skip(Int(remainder > 1 ? parameter : parameter - 1))
        return quotient &* ((1 &<< parameter) &- 1) &+ (remainder > 1 ? remainder - 1 : 0)
    }

    // MARK: Encoding

    /// Encodes the residuals of a channel.
    mutating func encode(_ residuals: [Int32], count: Int, into writer: inout BitWriter) {
        var index = 0
        while index < count {
            let residual = residuals[index]
            let value = UInt32(bitPattern: (residual &<< 1) ^ (residual >> 31))
            index += 1
            writeScalar(value - bias, valueParameter, valueBits, &writer)
            bias = 0
            adapt(to: value)
            if history < Self.runThreshold, index < count {
                let end = residuals[index..<count].firstIndex { $0 != 0 } ?? count
                writeScalar(UInt32(end - index), runParameter, Self.runBits, &writer)
                index = end
                bias = 1
                history = 0
            }
        }
    }

    @inline(__always)
    private func writeScalar(_ value: UInt32, _ parameter: UInt32, _ bits: Int, _ writer: inout BitWriter) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: (1 &<< parameter) &- 1)
        guard quotient <= Self.maximumQuotient else {
            writer.write(0x1FF, 9)
            writer.write(value, bits)
            return
        }
        writer.write(((1 &<< quotient) &- 1) &<< 1, Int(quotient) + 1)
        guard parameter > 1 else { return }
        if remainder > 0 {
            writer.write(remainder + 1, Int(parameter))
        } else {
            writer.write(0, Int(parameter) - 1)
        }
    }
}
