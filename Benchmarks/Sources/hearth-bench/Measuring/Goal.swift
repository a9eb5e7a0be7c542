/// The goal of a figure.
enum Goal {
    /// The median must not be higher.
    case atMost(Double)
    /// The median must not be lower.
    case atLeast(Double)
    /// Lower is better.
    case low
    /// Higher is better.
    case high

    func isMet(by samples: Samples) -> Bool {
        switch self {
        case .atMost(let limit): samples.median <= limit
        case .atLeast(let limit): samples.median >= limit
        case .low, .high: true
        }
    }

    func worst(of samples: Samples) -> Double {
        switch self {
        case .atMost, .low: samples.highest
        case .atLeast, .high: samples.lowest
        }
    }
}
