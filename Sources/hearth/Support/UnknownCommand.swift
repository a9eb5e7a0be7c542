import ArgumentParser

/// A word on the command line that isn't a command.
struct UnknownCommand {
    /// The error's reason, with a suggestion.
    let reason: String

    private static let help = "help"
    /// The maximum edit distance to a suggested command.
    private static let tolerance = 2

    /// Finds the first word on a command line that isn't a command, or returns `nil` if every word up to the leaf
    /// command is one.
    ///
    /// - Parameters:
    ///   - words: The words, in the parser's order, without the program's name.
    ///   - root: The program.
    init?(in words: [String], of root: any ParsableCommand.Type = Hearth.self) {
        var command: any ParsableCommand.Type = root
        var path = [root.configuration.commandName ?? ""]
        for word in words {
            let commands = command.configuration.subcommands.compactMap { next in
                next.configuration.commandName.map { (name: $0, command: next) }
            }
            // The words after a leaf command are its arguments.
            if commands.isEmpty || word.hasPrefix("-") || word == Self.help { return nil }
            if let next = commands.first(where: { $0.name == word }) {
                path.append(word)
                command = next.command
                continue
            }
            if command.configuration.defaultSubcommand != nil { return nil }
            let closest = commands.map { (name: $0.name, distance: Self.distance(word, $0.name)) }
                .min { $0.distance < $1.distance }
            let advice =
                if let closest, closest.distance <= Self.tolerance, closest.distance < word.count {
                    "Did you mean “\(closest.name)”?"
                } else {
                    "Its commands are \(commands.map(\.name).joined(separator: ", "))."
                }
            reason = "“\(path.joined(separator: " "))” has no command “\(word)”. \(advice)"
            return
        }
        return nil
    }

    /// Returns the Levenshtein distance of two words.
    private static func distance(_ one: String, _ other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let changed = diagonal + (letter == other[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[other.count]
    }
}
