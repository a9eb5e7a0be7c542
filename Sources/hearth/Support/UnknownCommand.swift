import ArgumentParser

/// A word on the command line where a command should be, and is none.
struct UnknownCommand {
    /// What is wrong, and what was meant perhaps: a sentence for people.
    let reason: String

    private static let help = "help"
    /// So many letters may be wrong in a word that is recognised all the same.
    private static let tolerance = 2

    /// Looks along the words of a command line for the first that no command has.
    ///
    /// - Parameters:
    ///   - words: As the parser takes them, without the program's name.
    ///   - root: The program.
    /// - Returns: nil if every word names a command, up to the one that acts.
    init?(in words: [String], of root: any ParsableCommand.Type = Hearth.self) {
        var command: any ParsableCommand.Type = root
        var path = [root.configuration.commandName ?? ""]
        for word in words {
            let known = command.configuration.subcommands.compactMap { next in
                next.configuration.commandName.map { (name: $0, command: next) }
            }
            // Behind what acts, words are its arguments.
            if known.isEmpty || word.hasPrefix("-") || word == Self.help { return nil }
            if let next = known.first(where: { $0.name == word }) {
                path.append(word)
                command = next.command
                continue
            }
            if command.configuration.defaultSubcommand != nil { return nil }
            let likeliest = known.map { (name: $0.name, distance: Self.distance(word, $0.name)) }
                .min { $0.distance < $1.distance }
            let advice =
                if let likeliest, likeliest.distance <= Self.tolerance, likeliest.distance < word.count {
                    "Do you mean “\(likeliest.name)”?"
                } else {
                    "It has \(known.map(\.name).joined(separator: ", "))."
                }
            reason = "“\(path.joined(separator: " "))” has no command “\(word)”. \(advice)"
            return
        }
        return nil
    }

    /// How many letters must be put in, taken out or exchanged for others to make one word of the other.
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
