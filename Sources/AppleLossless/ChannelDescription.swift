/// A packet's description of how a channel is predicted.
struct ChannelDescription {
    /// The kind of prediction in which the residuals themselves are differences.
    private static let differencesFirst: UInt32 = 15

    private var kind: UInt32 = 0
    private var shift: Int
    /// The factor for the speed at which the entropy coder adapts, in quarters.
    var riceModifier: Int
    /// The coefficients, that of the most recent sample first.
    private var coefficients: [Int32]

    /// Describes prediction with the coefficients of a predictor.
    init(_ predictor: LinearPredictor, riceModifier: Int) {
        shift = Int(predictor.shift)
        self.riceModifier = riceModifier
        coefficients = predictor.coefficients.reversed()
    }

    init(_ reader: inout BitReader) throws(AppleLosslessError) {
        kind = reader.read(4)
        shift = Int(reader.read(4))
        riceModifier = Int(reader.read(3))
        let order = Int(reader.read(5))
        guard kind == 0 || kind == Self.differencesFirst else { throw .invalidPrediction }
        coefficients = []
        for _ in 0..<order { coefficients.append(reader.readSigned(16)) }
        guard !reader.isExhausted else { throw .truncatedPacket }
    }

    func write(to writer: inout BitWriter) {
        writer.write(kind, 4)
        writer.write(UInt32(shift), 4)
        writer.write(UInt32(riceModifier), 3)
        writer.write(UInt32(coefficients.count), 5)
        for coefficient in coefficients { writer.write(UInt32(bitPattern: coefficient), 16) }
    }

    /// Replaces residuals with samples.
    func restore(_ samples: inout [Int32], _ count: Int, _ sampleBits: Int) {
        var predictor = LinearPredictor(coefficients: coefficients.reversed(), shift: shift, sampleBits: sampleBits)
        if kind == Self.differencesFirst { predictor.restoreDifferences(&samples, 1..<count) }
        if coefficients.count == LinearPredictor.differenceOrder {
            predictor.restoreDifferences(&samples, 1..<count)
        } else {
            predictor.restore(&samples, count: count)
        }
    }
}
