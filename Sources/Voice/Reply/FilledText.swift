/// Texts with fields in braces.
enum FilledText {
    /// Replaces the fields of a text in one pass, so that a name with braces stays as it is.
    static func fill(_ text: some StringProtocol, _ fields: [String: String]) -> String {
        var filled = ""
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            filled += rest[..<start]
            filled += fields[String(rest[rest.index(after: start)..<end])] ?? ""
            rest = rest[rest.index(after: end)...]
        }
        return filled + rest
    }
}
