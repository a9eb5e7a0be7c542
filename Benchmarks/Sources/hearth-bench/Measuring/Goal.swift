/// What a figure shall be.
enum Goal {
    /// The median shall not be higher.
    case atMost(Double)
    /// The median shall not be lower.
    case atLeast(Double)
    /// The lower the better.
    case low
    /// The higher the better.
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
