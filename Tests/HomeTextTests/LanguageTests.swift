import HAPCatalog
import HomeModel
import HomeText
import Testing

struct LanguageTests {
    @Test func everyPhraseIsInTheTable() {
        #expect(Phrase.allCases.filter { Language.english.phrases[$0] == nil } == [])
        #expect(Language.english.recurringDays.count == 7 && Language.english.days.count == 7)
        #expect(Language.english.months.count == 12)
    }

    @Test func bothTensesHaveTheSameFields() {
        func fields(_ phrase: String) -> Set<Substring> {
            Set(
                phrase.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap {
                    $0.split(separator: "}").first
                }
            )
        }
        for (phrase, phrasing) in Language.english.phrases {
            #expect(fields(phrasing.present) == fields(phrasing.past), "\(phrase)")
        }
    }

    @Test func wordsAreOfValuesThatTheCatalogHas() throws {
        for words in Language.english.values {
            let definition = try #require(CharacteristicDefinition.of(words.type))
            #expect(CharacteristicValue.integer(words.value).converted(to: definition.metadata.format) != nil)
            if !definition.namedValues.isEmpty {
                #expect(
                    definition.namedValues.contains { $0.value == words.value },
                    "\(definition.name) \(words.value)"
                )
            }
            #expect((words.happens == nil) == (words.happened == nil), "\(definition.name) \(words.value)")
            #expect((words.does == nil) == (words.did == nil), "\(definition.name) \(words.value)")
        }
        let keys = Language.english.values.map { "\($0.type.shortForm) \($0.value)" }
        #expect(Set(keys).count == keys.count)
    }

    /// A value of the language suffices for another one.
    @Test func anotherLanguageIsAnotherTable() {
        var german = Language.english
        german.phrases[.atTime] = Language.Phrasing("um {time}", "es war {time}")
        german.phrases[.onDays] = Language.Phrasing("{days}")
        german.phrases[.weekdays] = Language.Phrasing("werktags")
        german.phrases[.run] = Language.Phrasing("wird {scenes} ausgeführt")
        german.phrases[.nothing] = Language.Phrasing("noch nichts")
        let home = TextHome.shared
        let sentence = TriggerSentence(names: home.vocabulary, timeZone: TextHome.utc, language: german)
        let event = TriggerEvent(id: TextHome.id(1), occurrence: .calendar(CalendarMoment(hour: 19, minute: 0)))
        let rule = EventRule(events: [event], weekdays: [2, 3, 4, 5, 6])
        #expect(sentence.text(.event(rule), actionSets: []) == "Um 19:00 werktags, wird noch nichts ausgeführt.")
    }

    @Test(arguments: [([], ""), (["A"], "A"), (["A", "B"], "A and B"), (["A", "B", "C", "D"], "A, B, C and D")])
    func itemsFormAList(items: [String], text: String) {
        #expect(Language.english.list(items) == text)
    }
}
