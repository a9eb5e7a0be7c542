/// Gives valid and unique names to accessories that bring their own, one after the other.
struct NameGenerator {
    private let names: NameIndex
    private var given: Set<FoldedName> = []
    /// The number to try next, by the name before the number: many devices of one make all say the same.
    private var nextNumber: [String: Int] = [:]

    /// What an accessory is called that reports nothing usable.
    private static let fallback = "Accessory"
    /// Up to which number each is looked at.
    private static let lowNumbers = 32

    init(names: NameIndex) {
        self.names = names
    }

    /// Marks a name as given.
    mutating func take(_ name: String) {
        given.insert(FoldedName(name))
    }

    /// The name for an accessory: the one it reports if that can be made a name, else its model's, else a plain word;
    /// and where that is taken, the same with a number from 2 on.
    ///
    /// The number is the first free one among the low ones, and beyond them one whose predecessor is taken: a thousand
    /// devices of one name do not make the next one's cost a thousand looks.
    mutating func name(reported: String, model: String?) -> String {
        let base = NameRule.repaired(reported) ?? model.flatMap(NameRule.repaired) ?? Self.fallback
        let number = freeNumber(for: base, from: nextNumber[base] ?? 1)
        let name = Self.name(base, number)
        nextNumber[base] = number + 1
        take(name)
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
        return names[folded].isEmpty && !given.contains(folded)
    }
}
