/// The adaptive prediction of a channel's samples. Decoder and encoder adapt its coefficients in the same way.
struct LinearPredictor {
    /// The order that stands for the difference to the previous sample.
    static let differenceOrder = 31

    /// The coefficients, that of the oldest sample first.
    private(set) var coefficients: [Int32]
    /// The number of bits after the binary point in a coefficient.
    let shift: Int32
    /// The number of bits of a sample.
    let sampleBits: Int
    private let rounding: Int32

    init(coefficients: [Int32], shift: Int, sampleBits: Int) {
        self.coefficients = coefficients
        self.shift = Int32(shift)
        self.sampleBits = sampleBits
        rounding = shift > 0 ? 1 &<< Int32(shift - 1) : 0
    }

    /// Replaces residuals with samples.
    mutating func restore(_ samples: inout [Int32], count: Int) {
        let order = coefficients.count
        guard order > 0 else { return }
        restoreDifferences(&samples, 1..<min(order + 1, count))
        var index = order + 1
        while index < count {
            let residual = samples[index]
            let oldest = samples[index - order - 1]
            let prediction = prediction(samples, from: index - order, oldest)
            samples[index] = (prediction &+ residual).signExtended(from: sampleBits)
            adapt(to: residual, samples, from: index - order, oldest)
            index += 1
        }
    }

    /// Computes the residuals of samples.
    mutating func residuals(of samples: [Int32], into residuals: inout [Int32], count: Int) {
        let order = coefficients.count
        residuals[0] = samples[0]
        for index in 1..<max(1, min(order + 1, count)) {
            residuals[index] = (samples[index] &- samples[index - 1]).signExtended(from: sampleBits)
        }
        var index = order + 1
        while index < count {
            let oldest = samples[index - order - 1]
            let prediction = prediction(samples, from: index - order, oldest)
            let residual = (samples[index] &- prediction).signExtended(from: sampleBits)
            residuals[index] = residual
            adapt(to: residual, samples, from: index - order, oldest)
            index += 1
        }
    }

    /// Replaces differences with samples.
    func restoreDifferences(_ samples: inout [Int32], _ range: Range<Int>) {
        for index in range {
            samples[index] = (samples[index] &+ samples[index - 1]).signExtended(from: sampleBits)
        }
    }

    @inline(__always)
    private func prediction(_ samples: [Int32], from start: Int, _ oldest: Int32) -> Int32 {
        var sum = rounding
        for index in 0..<coefficients.count {
            sum &+= (samples[start + index] &- oldest) &* coefficients[index]
        }
        return (sum &>> shift) &+ oldest
    }

    /// Moves the coefficients against the residual's sign, from the oldest sample on, until they compensate for it.
    @inline(__always)
    private mutating func adapt(to residual: Int32, _ samples: [Int32], from start: Int, _ oldest: Int32) {
        guard residual != 0 else { return }
        let isPositive = residual > 0
        var rest = residual
        for index in 0..<coefficients.count {
            guard isPositive ? rest > 0 : rest < 0 else { return }
            let difference = oldest &- samples[start + index]
            let sign = isPositive ? difference.signum() : 0 &- difference.signum()
            // Coefficients are stored in 16 bits.
            coefficients[index] = (coefficients[index] &- sign).signExtended(from: 16)
            rest &-= ((difference &* sign) &>> shift) &* Int32(truncatingIfNeeded: index + 1)
        }
    }
}
