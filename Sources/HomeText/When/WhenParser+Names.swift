import Foundation
import HAPCatalog
import HomeModel

extension WhenParser {
    /// A characteristic that was found by its name, or by what is said of it.
    struct Found {
        var shape: CharacteristicShape
        var identity: CharacteristicIdentity
    }

    /// Consumes the name of an accessory or a service; `nil` if none is next.
    mutating func subject() throws(WhenError) -> HomeVocabulary.Subject? {
        let start = tokens.position
        var found = vocabulary.subjects(at: tokens)
        if found == nil, tokens.consumeAny(of: ["the", "my", "our"]) {
            found = vocabulary.subjects(at: tokens)
            if found == nil { tokens.position = start }
        }
        guard let match = found else { return nil }
        guard match.subjects.count == 1 else {
            let name = tokens.text(tokens.position..<tokens.position + match.length)
            let names = match.subjects.map { "“\($0.accessory.name) \($0.name)”" }
            throw WhenError(
                .ambiguous,
                "“\(name)” is the name of several services. Use \(language.list(names, .or))."
            )
        }
        tokens.position += match.length
        return match.subjects[0]
    }

    /// Consumes the names of users, joined by “or”, “and” or commas; `nil` if no user's name is next.
    mutating func users() throws(WhenError) -> [UUID]? {
        guard let first = try user() else { return nil }
        var users = [first]
        while true {
            let start = tokens.position
            _ = tokens.consume(",")
            _ = tokens.consume("or") || tokens.consume("and") || tokens.consume("nor")
            guard start != tokens.position, let next = try user() else {
                tokens.position = start
                return users
            }
            if !users.contains(next) { users.append(next) }
        }
    }

    /// Consumes the names of users.
    mutating func knownUsers() throws(WhenError) -> [UUID] {
        guard let users = try users() else { throw unknownUser() }
        return users
    }

    /// Consumes the name of a user; `nil` if none is next.
    private mutating func user() throws(WhenError) -> UUID? {
        guard let match = vocabulary.users(at: tokens) else { return nil }
        guard match.users.count == 1 else {
            let name = tokens.text(tokens.position..<tokens.position + match.length)
            throw WhenError(.ambiguous, "Several users are called “\(name)”. Give them different names first.")
        }
        tokens.position += match.length
        return match.users[0]
    }

    /// Consumes the name of one of an accessory's characteristics: its short name, HAP's, or the manufacturer's.
    mutating func characteristic(of subject: HomeVocabulary.Subject) -> Found? {
        var best: (found: Found, length: Int)?
        for length in 1...6 where tokens.position + length <= tokens.tokens.count {
            let words = tokens.tokens[tokens.position..<tokens.position + length]
            let name = words.map(\.text).joined(separator: " ")
            let type = CharacteristicDefinition.named(name)?.type ?? HAPType(name)
            let folded = FoldedName(name)
            let match = find(in: subject) { shape in
                shape.type == type || language.characteristics[shape.type].map(FoldedName.init) == folded
                    || shape.metadata.manufacturerDescription.map(FoldedName.init) == folded
            }
            if let match { best = (match, length) }
        }
        guard let best else { return nil }
        tokens.position += best.length
        return best.found
    }

    /// Returns the first characteristic of an accessory that a closure accepts.
    func find(in subject: HomeVocabulary.Subject, _ isMeant: (CharacteristicShape) -> Bool) -> Found? {
        guard let shape = subject.services.lazy.flatMap(\.characteristics).first(where: isMeant) else { return nil }
        let id = Home.characteristicID(of: shape.iid, in: subject.accessory)
        let identity = CharacteristicIdentity(
            accessory: subject.accessory.id,
            characteristic: id,
            type: shape.type
        )
        return Found(shape: shape, identity: identity)
    }

    /// Consumes a value of a characteristic: the longest that fits.
    mutating func value(of shape: CharacteristicShape) throws(WhenError) -> CharacteristicValue {
        let text = ValueText(shape, language: language)
        let isText = shape.metadata.format == .string
        for length in (1...(isText ? 1 : 6)).reversed() where tokens.position + length <= tokens.tokens.count {
            let words = tokens.tokens[tokens.position..<tokens.position + length]
            guard !words.contains(where: { [",", "(", ")"].contains($0.word) }) else { continue }
            if let value = text.value(of: words.map(\.text).joined(separator: " ")) {
                tokens.position += length
                return value
            }
        }
        throw unexpected("Use a value of \(language.name(of: shape.type)): \(text.example)")
    }

    /// Consumes a number of a characteristic, with or without its unit.
    mutating func number(of shape: CharacteristicShape) throws(WhenError) -> CharacteristicValue {
        guard shape.metadata.format.isNumeric else {
            throw unexpected("\(language.name(of: shape.type)) isn't a number")
        }
        return try value(of: shape)
    }

    // MARK: Messages

    /// Returns the error that the next words are not a name, or only a user's.
    mutating func unknownName() -> WhenError {
        if let user = vocabulary.users(at: tokens) {
            tokens.position += user.length
            return unexpected("Use “arrives” or “leaves”; in a condition, “is home” or “is away”")
        }
        guard let next = tokens.next else { return missing("Use a time or an event: \(Self.forms)") }
        if tokens.hasTimeForm {
            return WhenError(.notUnderstood, "“\(next.text)” is not a time of day. Use a time from 00:00 to 23:59.")
        }
        let names = vocabulary.everyName
        let isWord = !next.isQuoted && [",", "(", ")", "if", "until", "for"].contains(next.word)
        guard !isWord, !names.isEmpty || next.isQuoted else { return unexpected("Use a form such as \(Self.forms)") }
        let unknown = next.isQuoted ? next.text : tokens.text(tokens.position..<endOfName)
        let near = Self.nearest(names, to: unknown)
        let known = near.map { "Is “\($0)” meant?" } ?? "The names are \(Self.sample(names))."
        return WhenError(
            .notFound,
            "“\(unknown)” is neither a time nor the name of an accessory, service or user. \(known) Times and events: \(Self.forms)."
        )
    }

    private func unknownUser() -> WhenError {
        guard !tokens.isAtEnd else { return missing("Use the names of users") }
        let names = vocabulary.home.users.map(\.name).sorted()
        let unknown = tokens.text(tokens.position..<endOfName)
        return WhenError(.notFound, "No user is called “\(unknown)”. The users are \(Self.sample(names)).")
    }

    private static func sample(_ names: [String]) -> String {
        names.prefix(12).map { "“\($0)”" }.joined(separator: ", ") + (names.count > 12 ? " …" : "")
    }

    /// The index of the token that ends a name which isn't known: the first that is no part of one.
    private var endOfName: Int {
        var ends: Set<String> = [
            ",", "(", ")", "if", "or", "and", "until", "for", "is", "becomes", "changes", "rises", "falls", "drops",
            "comes",
            "goes", "gets", "arrives", "leaves", "on", "exceeds", "reaches", "has", "once",
        ]
        for words in language.values {
            for verb in [words.happens, words.does].compactMap(\.self) + words.otherVerbs {
                if let first = verb.split(separator: " ").first { ends.insert(String(first)) }
            }
        }
        let rest = tokens.tokens[(tokens.position + 1)...]
        return rest.firstIndex { ends.contains($0.word) } ?? tokens.tokens.count
    }

    /// Returns the name that differs least from a text, if it differs in few characters.
    private static func nearest(_ names: [String], to text: String) -> String? {
        let wanted = Array(FoldedName(text).text.prefix(64))
        let near = names.map { (name: $0, distance: distance(Array(FoldedName($0).text.prefix(64)), wanted)) }
        guard let best = near.min(by: { $0.distance < $1.distance }), best.distance <= max(1, wanted.count / 4) else {
            return nil
        }
        return best.name
    }

    /// Returns the number of characters to insert, remove or replace.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var previous = row[0]
            row[0] = index + 1
            for column in right.indices {
                let cost = character == right[column] ? previous : 1 + min(previous, row[column], row[column + 1])
                previous = row[column + 1]
                row[column + 1] = cost
            }
        }
        return row[right.count]
    }
}
