/// A generator of valid, unique names for accessories, from the names that they report.
struct NameGenerator {
    private let names: NameIndex
    private var used: Set<FoldedName> = []
    /// The next number to try for each name, because many devices of one model report the same name.
    private var nextNumber: [String: Int] = [:]

    /// The name of an accessory that reports no usable name.
    private static let fallback = "Accessory"
    /// The highest number that is tried one by one.
    private static let lowNumbers = 32

    init(names: NameIndex) {
        self.names = names
    }

    /// Marks a name as used.
    mutating func use(_ name: String) {
        used.insert(FoldedName(name))
    }

    /// Returns a name for an accessory: its reported name, if it can be made valid, otherwise its model, otherwise a
    /// fallback. If the name is in use, a number is appended, starting at 2.
    ///
    /// Low numbers are tried one by one. Above them, a search finds a free number after a used one, so that a thousand
    /// devices with the same name don't require a thousand attempts for the next one.
    mutating func name(reported: String, model: String?) -> String {
        let base = NameRule.repaired(reported) ?? model.flatMap(NameRule.repaired) ?? Self.fallback
        let number = freeNumber(for: base, from: nextNumber[base] ?? 1)
        let name = Self.name(base, number)
        nextNumber[base] = number + 1
        use(name)
        return name
    }

    private func freeNumber(for base: String, from first: Int) -> Int {
        let isFree = { (number: Int) in self.isFree(Self.name(base, number)) }
        let low = first...max(first, Self.lowNumbers)
        if let number = low.first(where: isFree) { return number }
        var taken = low.upperBound
        var step = 1
        while !isFree(taken + step) {
            taken += step
            step *= 2
        }
        var free = taken + step
        while free - taken > 1 {
            let middle = taken + (free - taken) / 2
            if isFree(middle) { free = middle } else { taken = middle }
        }
        return free
    }

    private static func name(_ base: String, _ number: Int) -> String {
        number == 1 ? base : NameRule.numbered(base, number)
    }

    private func isFree(_ name: String) -> Bool {
        let folded = FoldedName(name)
        return names[folded].isEmpty && !used.contains(folded)
    }
}
