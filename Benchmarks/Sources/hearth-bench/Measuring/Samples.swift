/// Several measurements of one thing.
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

    var median: Double {
        guard !values.isEmpty else { return .nan }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }
}
