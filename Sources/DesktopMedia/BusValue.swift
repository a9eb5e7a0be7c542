/// A value in a message of D-Bus.
enum BusValue: Hashable, Sendable {
    case text(String)
    case path(String)
    case flag(Bool)
    case number(Double)
    case integer(Int64)
    case texts([String])
    case dictionary([String: BusValue])

    /// The type, as D-Bus writes it.
    var signature: String {
        switch self {
        case .text: "s"
        case .path: "o"
        case .flag: "b"
        case .number: "d"
        case .integer: "x"
        case .texts: "as"
        case .dictionary: "a{sv}"
        }
    }
}

extension SessionBusLibrary {
    private func code(_ character: Character) -> CChar { CChar(bitPattern: character.asciiValue ?? 0) }

    /// Appends a value to a message.
    func append(_ value: BusValue, to message: Message) {
        switch value {
        case .text(let text): _ = append(message, code("s"), text)
        case .path(let path): _ = append(message, code("o"), path)
        case .flag(let flag):
            var number: CInt = flag ? 1 : 0
            _ = append(message, code("b"), &number)
        case .number(var number): _ = append(message, code("d"), &number)
        case .integer(var number): _ = append(message, code("x"), &number)
        case .texts(let texts):
            _ = open(message, code("a"), "s")
            for text in texts { _ = append(message, code("s"), text) }
            _ = closeContainer(message)
        case .dictionary(let entries):
            _ = open(message, code("a"), "{sv}")
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                _ = open(message, code("e"), "sv")
                _ = append(message, code("s"), key)
                appendVariant(value, to: message)
                _ = closeContainer(message)
            }
            _ = closeContainer(message)
        }
    }

    /// Appends a value with its type.
    func appendVariant(_ value: BusValue, to message: Message) {
        _ = open(message, code("v"), value.signature)
        append(value, to: message)
        _ = closeContainer(message)
    }

    /// Reads a text. Returns `nil` if the message has none.
    func readText(_ message: Message) -> String? {
        var text: Text?
        guard read(message, code("s"), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }
}
