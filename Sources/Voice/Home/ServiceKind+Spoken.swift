package import HomeModel

extension ServiceKind {
    private static let spoken = Set(Category.allCases.flatMap { $0.kinds.joined() })

    /// Whether people name services of the kind: some word for a category means them.
    package var isSpoken: Bool { Self.spoken.contains(self) }

    /// Whether a mistake may let somebody in, or water out: such services are never reached by a guess.
    var isGuarded: Bool {
        switch self {
        case .lock, .garageDoor, .door, .window, .securitySystem, .valve, .tap, .sprinklers: true
        default: false
        }
    }
}
