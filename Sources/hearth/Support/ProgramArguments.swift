/// The command line in the order in which the argument parser takes it.
struct ProgramArguments {
    /// The arguments, without the program's name.
    let words: [String]

    private static let globalFlags: Set<String> = ["--json"]
    private static let globalOptions: Set<String> = ["--socket", "--home"]
    private static let terminator = "--"

    /// Lets options that all commands share stand before or between the command's words, and negative numbers be values
    /// of `set` and `sim set`.
    ///
    /// - Parameter given: What the person wrote, without the program's name.
    init(_ given: [String]) {
        let end = given.firstIndex(of: Self.terminator) ?? given.endIndex
        var (words, options) = ([String](), [String]())
        var rest = given[..<end]
        // Only up to what the command acts on: behind that the parser finds options by itself.
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
        var values = Array(given[end...].dropFirst())
        let isSetting = words.first == "set" || words.starts(with: ["sim", "set"])
        if isSetting, values.isEmpty, let value = words.lastIndex(where: Self.isNegativeNumber) {
            values.append(words.remove(at: value))
        }
        self.words = words + options + (end < given.endIndex || !values.isEmpty ? [Self.terminator] + values : [])
    }

    private static func isNegativeNumber(_ word: String) -> Bool {
        word.first == "-" && word.dropFirst().first?.isWholeNumber == true
    }
}
