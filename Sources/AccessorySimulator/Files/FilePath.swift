/// A path from the root of a JSON text to a value, such as `services[0].characteristics.Brightness`.
struct FilePath: Hashable, Sendable, CustomStringConvertible {
    /// A component of a path.
    enum Step: Hashable, Sendable {
        case member(String)
        case element(Int)
    }

    private(set) var steps: [Step] = []

    /// Returns the path with another component.
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
