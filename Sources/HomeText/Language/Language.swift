package import HAPCatalog
package import HomeModel

/// The words and phrases of a language: one table for the sentences about triggers, conditions, actions and values.
///
/// Another language is another value of this type.
package struct Language: Sendable {
    /// A phrase in both tenses.
    package struct Phrasing: Hashable, Sendable {
        /// The phrase about what is, or what happens whenever it happens.
        package var present: String
        /// The phrase about what was, or what happened.
        package var past: String

        /// Creates a phrase. Without a past, both tenses are the same.
        package init(_ present: String, _ past: String? = nil) {
            self.present = present
            self.past = past ?? present
        }
    }

    /// The time that a sentence is about.
    package enum Tense: Sendable {
        /// What is, or what happens whenever it happens.
        case present
        /// What was, or what happened.
        case past
    }

    /// The language's tag: `en`.
    package var tag: String
    /// The phrases. Every ``Phrase`` has one.
    package var phrases: [Phrase: Phrasing]
    /// The words for the values of characteristics, those first that a phrase such as “turns on” stands for if a service
    /// has several.
    package var values: [ValueWords]
    /// The short names of characteristics, where people don't use HAP's.
    package var characteristics: [HAPType: String]
    /// The names of the days of the week as in “on Mondays”, Sunday first.
    package var recurringDays: [String]
    /// The names of the days of the week, Sunday first.
    package var days: [String]
    /// The names of the months, January first.
    package var months: [String]
    /// What a change of the layout did, by verb, with `{name}` and `{second}` for its first objects and `{names}` for all.
    package var changes: [Verb: String]
    /// The names of the kinds of services, as people call them. Every ``ServiceKind`` has one.
    package var kinds: [ServiceKind: String]
    private let wordsByType: [HAPType: [ValueWords]]

    /// Creates a language.
    package init(
        tag: String,
        phrases: [Phrase: Phrasing],
        values: [ValueWords],
        characteristics: [HAPType: String],
        recurringDays: [String],
        days: [String],
        months: [String],
        changes: [Verb: String] = [:],
        kinds: [ServiceKind: String] = [:]
    ) {
        self.tag = tag
        self.phrases = phrases
        self.values = values
        self.characteristics = characteristics
        self.recurringDays = recurringDays
        self.days = days
        self.months = months
        self.changes = changes
        self.kinds = kinds
        wordsByType = Dictionary(grouping: values, by: \.type)
    }

    /// Returns a phrase with its placeholders filled in.
    package func text(_ phrase: Phrase, _ fields: KeyValuePairs<String, String> = [:], _ tense: Tense = .present)
        -> String
    {
        guard let phrasing = phrases[phrase] else { return phrase.rawValue }
        return Self.fill(tense == .past ? phrasing.past : phrasing.present, fields)
    }

    /// Returns the words for a value; `nil` if it has none.
    package func words(for value: CharacteristicValue, of type: HAPType) -> ValueWords? {
        guard let number = value.wholeNumber ?? value.flag else { return nil }
        return wordsByType[type]?.first { Int128($0.value) == number }
    }

    /// Returns the words for all values of a type that have some.
    package func words(of type: HAPType) -> [ValueWords] { wordsByType[type] ?? [] }

    /// Returns a characteristic's name: the short name, otherwise HAP's, otherwise the accessory's.
    package func name(of type: HAPType, description: String? = nil) -> String {
        characteristics[type] ?? CharacteristicDefinition.of(type)?.name ?? description ?? type.shortForm
    }

    /// Returns the name of a kind of service.
    package func name(of kind: ServiceKind) -> String { kinds[kind] ?? kind.rawValue }

    /// Returns the items as a list: “A, B and C”.
    package func list(_ items: [String], _ last: Phrase = .and) -> String {
        guard let end = items.last else { return "" }
        guard let start = items.dropLast().last else { return end }
        let head = items.dropLast(2).reduce(into: "") {
            $0 = $0.isEmpty ? $1 : text(.comma, ["first": $0, "last": $1])
        }
        let before = head.isEmpty ? start : text(.comma, ["first": head, "last": start])
        return text(last, ["first": before, "last": end])
    }

    /// Returns a time of day, in 24 hours.
    package func time(_ hour: Int, _ minute: Int) -> String {
        "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    /// Returns the phrase with the text in place of each field's name in braces.
    ///
    /// The phrase is read once, so that braces in a name stay as they are.
    static func fill(_ phrase: String, _ fields: KeyValuePairs<String, String>) -> String {
        guard phrase.contains("{") else { return phrase }
        var filled = ""
        var rest = phrase[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            let name = rest[rest.index(after: open)..<close]
            filled += fields.first { $0.key == name }?.value ?? "{\(name)}"
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}

extension CharacteristicValue {
    /// 0 or 1 for a Boolean; `nil` for other values.
    fileprivate var flag: Int128? {
        guard case .bool(let isOn) = self else { return nil }
        return isOn ? 1 : 0
    }
}
