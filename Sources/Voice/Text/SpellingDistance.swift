/// How many letters two words differ by.
enum SpellingDistance {
    /// The least number of insertions, deletions, replacements, and swaps of neighbors; nil if above the limit.
    static func between(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int) -> Int? {
        guard abs(first.count - second.count) <= limit else { return nil }
        var older: [Int] = []
        var previous = Array(0...second.count)
        for i in 1...max(first.count, 1) where !first.isEmpty {
            var row = [i] + Array(repeating: 0, count: second.count)
            var least = i
            for j in 1...max(second.count, 1) where !second.isEmpty {
                let replaced = previous[j - 1] + (first[i - 1] == second[j - 1] ? 0 : 1)
                row[j] = min(replaced, previous[j] + 1, row[j - 1] + 1)
                if i > 1, j > 1, first[i - 1] == second[j - 2], first[i - 2] == second[j - 1] {
                    row[j] = min(row[j], older[j - 2] + 1)
                }
                least = min(least, row[j])
            }
            guard least <= limit else { return nil }
            older = previous
            previous = row
        }
        let distance = previous[second.count]
        return distance <= limit ? distance : nil
    }
}
