extension HomeListener {
    /// Returns the home's sentences as a grammar in JSGF 1.0, for small speech recognizers.
    ///
    /// Words are in lower case. Numbers are in words, as recognizers hear them.
    package func grammar() -> String {
        var rules: [String] = []
        var names: [String] = []
        for pattern in SentencePattern.allCases {
            let sentences = candidates(pattern).filter(isUnderstood)
            guard !sentences.isEmpty, let text = language.texts[pattern.rawValue] else { continue }
            let rule = pattern.rawValue.split(separator: ".").last.map(String.init) ?? ""
            let field = pattern.subject == .room ? "room" : "name"
            var fields: [String: String] = [:]
            if pattern.subject != .home {
                let spoken = sentences.compactMap { spokenName(of: $0) }
                guard !spoken.isEmpty else { continue }
                fields[field] = "(\(Self.unique(spoken).joined(separator: " | ")))"
            }
            if let numbers = pattern.numbers {
                let words = numbers.compactMap { language.numberWords[$0] }
                guard !words.isEmpty else { continue }
                fields["number"] = "(\(words.joined(separator: " | ")))"
            }
            rules.append("<\(rule)> = \(FilledText.fill(Self.plain(text), fields));")
            names.append("<\(rule)>")
        }
        let header = "#JSGF V1.0 UTF-8 \(language.code);\ngrammar home;\n"
        guard !names.isEmpty else { return header }
        return header + "public <command> = \(names.joined(separator: " | "));\n" + rules.joined(separator: "\n") + "\n"
    }

    private func spokenName(of example: Example) -> String? {
        let name: String?
        switch example.pattern.subject {
        case .scene: name = home.scenes.first { $0.id == example.scene }?.name
        case .service: name = home.services.first { example.services.contains($0.id) }?.name
        case .room:
            let room = home.services.first { example.services.contains($0.id) }?.room
            name = home.rooms.first { $0.id == room }?.name
        case .home: name = nil
        }
        return name.map { Self.plain($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns a text without the characters that have a meaning in grammars, in lower case.
    private static func plain(_ text: String) -> String {
        let allowed = text.lowercased().map { character -> Character in
            character.isLetter || character.isNumber || "'’{}".contains(character) ? character : " "
        }
        return String(allowed).split(separator: " ").joined(separator: " ")
    }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }
}
