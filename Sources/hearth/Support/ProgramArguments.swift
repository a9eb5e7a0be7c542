/// The command line, rearranged for the argument parser.
struct ProgramArguments {
    /// The arguments, without the program's name.
    let words: [String]

    private static let globalFlags: Set<String> = ["--json"]
    private static let globalOptions: Set<String> = ["--socket", "--home"]
    private static let terminator = "--"

    /// Moves options that all commands share to the end, so that they may stand before or between the command's names.
    /// Makes negative numbers values of `set`, `sim set`, `home place` and `presence`.
    ///
    /// - Parameter input: The command line, without the program's name.
    init(_ input: [String]) {
        let end = input.firstIndex(of: Self.terminator) ?? input.endIndex
        var (words, options) = ([String](), [String]())
        var rest = input[..<end]
        // Only up to the command's object. The parser finds options after it.
        while words.count < 2, let word = rest.popFirst() {
            let name = String(word.prefix { $0 != "=" })
            if Self.globalFlags.contains(word) || (Self.globalOptions.contains(name) && name != word) {
                options.append(word)
            } else if Self.globalOptions.contains(word) {
                options.append(word)
                if let value = rest.popFirst() { options.append(value) }
            } else {
                words.append(word)
                if word.hasPrefix("-") { break }
            }
        }
        words += rest
        var values = Array(input[end...].dropFirst())
        let isPlace = words.starts(with: ["home", "place"]) || words.first == "presence"
        if isPlace, values.isEmpty, let first = words.firstIndex(where: Self.isNegativeNumber) {
            // Latitude and longitude keep their order.
            var others = words[first...]
            words.removeSubrange(first...)
            while let word = others.popFirst() {
                if Self.globalOptions.contains(word), let value = others.popFirst() {
                    options += [word, value]
                } else if word.hasPrefix("--") {
                    options.append(word)
                } else {
                    values.append(word)
                }
            }
        }
        let isSetting = words.first == "set" || words.starts(with: ["sim", "set"])
        if isSetting, values.isEmpty, let value = words.lastIndex(where: Self.isNegativeNumber) {
            values.append(words.remove(at: value))
        }
        self.words = words + options + (end < input.endIndex || !values.isEmpty ? [Self.terminator] + values : [])
    }

    private static func isNegativeNumber(_ word: String) -> Bool {
        word.first == "-" && word.dropFirst().first?.isWholeNumber == true
    }
}
