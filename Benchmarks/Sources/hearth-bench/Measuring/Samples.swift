/// Several measurements of one quantity.
struct Samples {
    var values: [Double] = []

    mutating func add(_ value: Double) {
        values.append(value)
    }

    mutating func add(_ more: [Double]) {
        values += more
    }

    var count: Int { values.count }
    var highest: Double { values.max() ?? .nan }
    var lowest: Double { values.min() ?? .nan }

    /// Returns the value that the given percentage of samples doesn't exceed.
    func percentile(_ rank: Double) -> Double {
        let sorted = values.sorted()
        guard let last = sorted.indices.last else { return .nan }
        return sorted[min(Int((Double(last) * rank / 100).rounded(.up)), last)]
    }

    var median: Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
