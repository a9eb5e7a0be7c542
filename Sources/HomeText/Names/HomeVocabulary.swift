package import Foundation
import HAPCatalog
package import HomeModel

/// The names of a home's accessories, services and users, for making and reading sentences.
package struct HomeVocabulary: NameSource {
    /// An accessory, or one of its services, that a name stands for.
    struct Subject {
        /// The name as the home has it.
        var name: String
        var accessory: AccessoryRecord
        /// The services in the order in which they are searched.
        var services: [ServiceShape]
    }

    /// The words that begin a form of their own, so that a name which begins with one is quoted.
    private static let reserved: Set<String> = [
        "a", "after", "all", "an", "and", "any", "anybody", "anyone", "at", "before", "between", "both", "day",
        "either",
        "every", "everybody", "everyone", "for", "i", "if", "it", "midnight", "minute", "neither", "no",
        "nobody",
        "none", "noon", "not", "on", "once", "one", "or", "somebody", "someone", "sunrise", "sunset", "the", "until",
        "when",
        "you",
    ]

    /// The home.
    package let home: Home
    let language: Language
    private var subjects: [FoldedName: [Subject]] = [:]
    private var users: [FoldedName: [UUID]] = [:]
    /// The number of characters of the longest folded name.
    private var longest = 0

    /// Creates the vocabulary of a home.
    package init(_ home: Home, language: Language = .english) {
        self.home = home
        self.language = language
        for user in home.users { users[FoldedName(user.name), default: []].append(user.id) }
        for accessory in home.accessories {
            let services = Self.ordered(home.services(of: accessory))
            add(Subject(name: accessory.name, accessory: accessory, services: services))
        }
        for accessory in home.accessories {
            let services = home.services(of: accessory).filter(\.isUserFacing)
            guard services.count > 1 else { continue }
            for service in services {
                for name in Self.names(of: service, in: accessory) where FoldedName(name) != FoldedName(accessory.name)
                {
                    // An accessory's own name always stands for the accessory.
                    guard !hasAccessory(FoldedName(name)) else { continue }
                    add(Subject(name: name, accessory: accessory, services: [service]))
                }
            }
        }
        longest = (Array(subjects.keys) + users.keys).map(\.text.count).max() ?? 0
    }

    private mutating func add(_ subject: Subject) {
        subjects[FoldedName(subject.name), default: []].append(subject)
    }

    private func hasAccessory(_ name: FoldedName) -> Bool {
        subjects[name]?.contains { FoldedName($0.accessory.name) == name } == true
    }

    /// The names of a service, the shortest first: its own, its own after the accessory's, and its number.
    private static func names(of service: ServiceShape, in accessory: AccessoryRecord) -> [String] {
        let own = Home.name(of: service, in: accessory)
        let number = "\(accessory.name) service \(service.iid)"
        return FoldedName(own) == FoldedName(accessory.name) ? [number] : [own, "\(accessory.name) \(own)", number]
    }

    private static func ordered(_ services: [ServiceShape]) -> [ServiceShape] {
        let facing = services.filter(\.isUserFacing)
        return facing.filter(\.isPrimary) + facing.filter { !$0.isPrimary } + services.filter { !$0.isUserFacing }
    }

    // MARK: Names

    package func name(of characteristic: CharacteristicIdentity) -> CharacteristicName? {
        guard let found = home.characteristic(characteristic) else { return nil }
        let subject = subjectName(of: found.shape, in: found.accessory)
        let quoted = needsQuotes(subject, before: continuations(of: found.shape)) ? "“\(subject)”" : subject
        return CharacteristicName(subject: quoted, type: characteristic.type, metadata: found.shape.metadata)
    }

    package func name(ofUser user: UUID) -> String? {
        guard let name = home.users[id: user]?.name else { return nil }
        return needsQuotes(name, before: []) ? "“\(name)”" : name
    }

    package func name(ofActionSet actionSet: UUID) -> String? {
        guard let record = home.actionSet(actionSet) else { return nil }
        return record.type == .triggerOwned ? "" : record.name
    }

    private func subjectName(of shape: CharacteristicShape, in accessory: AccessoryRecord) -> String {
        let services = home.services(of: accessory)
        let facing = services.filter(\.isUserFacing)
        guard facing.count > 1, let service = facing.first(where: { $0.characteristics.contains(shape) }) else {
            return accessory.name
        }
        let own = Home.name(of: service, in: accessory)
        if FoldedName(own) == FoldedName(accessory.name), service.iid == Self.ordered(services).first?.iid {
            return accessory.name
        }
        let names = Self.names(of: service, in: accessory)
        return names.first { name in
            let holders = subjects[FoldedName(name)] ?? []
            return holders.count == 1 && holders[0].services.first?.iid == service.iid
        } ?? names[names.count - 1]
    }

    /// What may follow the name of an accessory in a sentence about a characteristic.
    private func continuations(of shape: CharacteristicShape) -> [String] {
        let name = language.name(of: shape.type, description: shape.metadata.manufacturerDescription)
        return [name] + language.words(of: shape.type).flatMap { [$0.happens, $0.does].compactMap(\.self) }
    }

    /// Returns whether a name could be read as something else: it begins with a keyword or a digit, has characters that
    /// separate words, or becomes the name of another object with the words that follow it.
    private func needsQuotes(_ name: String, before continuations: [String]) -> Bool {
        let words = name.split(separator: " ")
        guard let first = words.first,
            !name.contains(where: { !$0.isLetter && !$0.isNumber && $0 != " " && $0 != "'" && $0 != "’" })
        else { return true }
        if Self.reserved.contains(first.lowercased()) || first.first?.isNumber == true { return true }
        // “until Motion stops …” would be the end of any motion.
        if FoldedName(name) == FoldedName("motion") { return true }
        // Names of lists: “Ann or Ben”.
        if words.contains(where: { ["and", "or", "if", "until", "for"].contains($0.lowercased()) }) { return true }
        return continuations.contains { continuation in
            var extended = name
            return continuation.split(separator: " ").contains { word in
                extended += " \(word)"
                return subjects[FoldedName(extended)] != nil
            }
        }
    }

    // MARK: Reading

    /// The names of accessories, services and users, for messages.
    var everyName: [String] {
        Set(subjects.values.flatMap(\.self).map(\.name) + home.users.map(\.name)).sorted()
    }

    /// Returns the objects with the longest name that the next tokens make, and the number of tokens.
    func subjects(at tokens: WhenTokens) -> (subjects: [Subject], length: Int)? { longestMatch(tokens, subjects) }

    /// Returns the users with the longest name that the next tokens make, and the number of tokens.
    func users(at tokens: WhenTokens) -> (users: [UUID], length: Int)? {
        longestMatch(tokens, users).map { (users: $0.subjects, length: $0.length) }
    }

    private func longestMatch<Item>(
        _ tokens: WhenTokens,
        _ names: [FoldedName: [Item]]
    ) -> (subjects: [Item], length: Int)? {
        guard let first = tokens.next else { return nil }
        if first.isQuoted { return names[FoldedName(first.text)].map { ($0, 1) } }
        var text = ""
        var match: (subjects: [Item], length: Int)?
        for (length, token) in tokens.tokens[tokens.position...].enumerated() {
            guard !token.isQuoted, ![",", "(", ")"].contains(token.word) else { break }
            text += text.isEmpty ? token.text : " \(token.text)"
            let folded = FoldedName(text)
            if let items = names[folded] { match = (items, length + 1) }
            guard folded.text.count < longest else { break }
        }
        return match
    }
}

extension ServiceShape {
    /// Whether the service is for users, rather than for the system.
    package var isUserFacing: Bool {
        !isHidden && type != HAPType.Service.accessoryInformation && type != HAPType.Service.protocolInformation
    }
}
