/// The way from the root of a JSON text to one of its values: `services[0].characteristics.Brightness`.
struct FilePath: Hashable, Sendable, CustomStringConvertible {
    /// One step down.
    enum Step: Hashable, Sendable {
        case member(String)
        case element(Int)
    }

    private(set) var steps: [Step] = []

    /// The path one step further down.
    func appending(_ step: Step) -> FilePath {
        FilePath(steps: steps + [step])
    }

    var description: String {
        steps.reduce(into: "") { text, step in
            switch step {
            case .member(let name): text += text.isEmpty ? name : ".\(name)"
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}
