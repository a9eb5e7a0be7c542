/// Objects of the home that a part of a sentence names.
struct NameMatch: Hashable, Sendable {
    enum Object: Hashable, Sendable {
        case service(Int)
        case group(Int)
        case room(Int)
        case zone(Int)
        case scene(Int)
    }

    /// How what was said fits the name, the best first.
    enum Precision: Int, Hashable, Sendable, Comparable {
        /// The name itself.
        case exact
        /// The name, inflected, without its small words, in another order, or without its room's name.
        case inflected
        /// A word for certain services of a category, which is a part of their names: "spotlights".
        case kind
        /// A part of the name that no other name has.
        case partial
        /// The name with a spelling mistake.
        case spelled

        static func < (first: Self, second: Self) -> Bool { first.rawValue < second.rawValue }

        var cost: Float {
            switch self {
            case .exact: 0.85
            case .inflected: 2.15
            case .kind: 0.95
            case .partial: 2.4
            case .spelled: 4
            }
        }
    }

    var objects: [Object]
    var precision: Precision
}
