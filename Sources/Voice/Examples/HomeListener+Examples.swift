extension HomeListener {
    /// The most examples that are given.
    package static let exampleLimit = 20

    /// A sentence with the subject that it is about.
    struct Example {
        var pattern: SentencePattern
        var sentence: String
        var services: Set<String>
        var scene: String?
    }

    /// Returns sentences with the home's own names, each of which is understood as it is meant.
    ///
    /// - Parameter id: The service, the room or the scene that they are about; `nil` for the whole home.
    package func examples(about id: String? = nil) -> [String] {
        var sentences: [String] = []
        // One example of each kind before a second one of any.
        var rest = SentencePattern.allCases.map { candidates($0, about: id)[...] }
        while sentences.count < Self.exampleLimit, rest.contains(where: { !$0.isEmpty }) {
            for index in rest.indices where sentences.count < Self.exampleLimit {
                while let example = rest[index].popFirst() {
                    guard isUnderstood(example) else { continue }
                    sentences.append(Self.capitalized(example.sentence))
                    break
                }
            }
            // A home has many lamps: the second round is about other kinds of sentences only for a single subject.
            if id == nil, sentences.count >= SentencePattern.allCases.count { break }
        }
        return sentences
    }

    /// Whether a sentence means what its pattern does.
    func isUnderstood(_ example: Example) -> Bool {
        example.pattern.means(interpret(example.sentence), services: example.services, scene: example.scene)
    }

    /// Returns the sentences of a pattern, which may be ambiguous or not understood.
    func candidates(_ pattern: SentencePattern, about id: String? = nil) -> [Example] {
        switch pattern.subject {
        case .service:
            return home.services.filter { pattern.fits($0) && (id == nil || id == $0.id) }.compactMap { service in
                example(pattern, ["name": service.name], services: [service.id])
            }
        case .room:
            return home.rooms.filter { id == nil || id == $0.id }.compactMap { room in
                let services = home.services.filter { $0.room == room.id && pattern.fits($0) }.map(\.id)
                return services.isEmpty ? nil : example(pattern, ["room": room.name], services: Set(services))
            }
        case .scene:
            return home.scenes.filter { id == nil || id == $0.id }.compactMap { scene in
                example(pattern, ["name": scene.name], services: [], scene: scene.id)
            }
        case .home:
            let services = Set(home.services.filter(pattern.fits).map(\.id))
            guard id == nil, services.count > 1 else { return [] }
            return [example(pattern, [:], services: services)].compactMap(\.self)
        }
    }

    private func example(
        _ pattern: SentencePattern,
        _ fields: [String: String],
        services: Set<String>,
        scene: String? = nil
    ) -> Example? {
        guard let text = language.texts[pattern.rawValue] else { return nil }
        var fields = fields
        fields["number"] = "\(pattern.number)"
        return Example(pattern: pattern, sentence: FilledText.fill(text, fields), services: services, scene: scene)
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
