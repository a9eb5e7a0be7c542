/// Gives valid and unique names to accessories that bring their own, one after the other.
struct NameMaker {
    private let names: NameIndex
    private var given: Set<FoldedName> = []
    /// The number to try next, by the name before the number: many devices of one make all say the same.
    private var nextNumber: [String: Int] = [:]

    /// What an accessory is called that reports nothing usable.
    private static let fallback = "Accessory"

    init(names: NameIndex) {
        self.names = names
    }

    /// Marks a name as given.
    mutating func take(_ name: String) {
        given.insert(FoldedName(name))
    }

    /// The name for an accessory: the one it reports if that can be made a name, else its model's, else a plain word;
    /// and where that is taken, the same with the first free number from 2 on.
    mutating func name(reported: String, model: String?) -> String {
        let base = NameRule.repaired(reported) ?? model.flatMap(NameRule.repaired) ?? Self.fallback
        var number = nextNumber[base] ?? 1
        var name = number == 1 ? base : NameRule.numbered(base, number)
        while !isFree(name) {
            number += 1
            name = NameRule.numbered(base, number)
        }
        nextNumber[base] = number + 1
        take(name)
        return name
    }

    private func isFree(_ name: String) -> Bool {
        let folded = FoldedName(name)
        return names[folded].isEmpty && !given.contains(folded)
    }
}
