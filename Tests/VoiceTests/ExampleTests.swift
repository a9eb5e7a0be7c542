import HomeModel
import Testing

@testable import Voice

/// SplitMix64, so that a failing home can be made again.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite struct ExampleTests {
    /// A home of names that no language has words for, and of some that it has.
    private static func home(_ seed: UInt64, _ language: Language) -> SpokenHome {
        var random = SeededGenerator(state: seed)
        let syllables = ["ka", "lo", "mi", "ru", "ven", "tas", "bor", "eli", "sun", "dra"]
        func name() -> String {
            (0..<Int.random(in: 2...3, using: &random)).map { _ in syllables.randomElement(using: &random) ?? "" }
                .joined()
                .capitalizedFirst
        }
        let rooms = (0..<4).map { SpokenHome.Room(id: "r\($0)", name: name()) }
        let kinds: [(ServiceKind, [SpokenTrait: Double])] = [
            (.light, [.on: 0, .brightness: 20]), (.light, [.on: 1]), (.outlet, [.on: 0]), (.fan, [.active: 0]),
            (.lock, [.lockTargetState: 1, .lockCurrentState: 1]),
            (.blinds, [.targetPosition: 0, .currentPosition: 0]),
            (.garageDoor, [.targetDoorState: 1, .currentDoorState: 1]), (.temperatureSensor, [.currentTemperature: 20]),
            (.thermostat, [.targetTemperature: 20, .currentTemperature: 20, .targetHeatingCoolingState: 1]),
        ]
        let services = (0..<12).map { number in
            let (kind, values) = kinds[number % kinds.count]
            return SpokenHome.Service(
                id: "s\(number)",
                name: name(),
                kind: kind,
                room: rooms.randomElement(using: &random)?.id,
                values: values
            )
        }
        return SpokenHome(
            name: name(),
            rooms: rooms,
            services: services,
            scenes: (0..<2).map { SpokenHome.Scene(id: "c\($0)", name: name()) }
        )
    }

    @Test(arguments: Language.codes)
    func mostSentencesOfEveryKindAreUnderstoodAsTheyAreMeant(code: String) throws {
        let language = try #require(Language.named(code))
        var counts: [SentencePattern: (all: Int, understood: Int)] = [:]
        for seed in 0..<6 {
            let listener = HomeListener(home: Self.home(UInt64(seed), language), language: language)
            for pattern in SentencePattern.allCases {
                for example in listener.candidates(pattern) {
                    counts[pattern, default: (0, 0)].all += 1
                    if listener.isUnderstood(example) { counts[pattern]?.understood += 1 }
                }
            }
        }
        for pattern in SentencePattern.allCases {
            let count = try #require(counts[pattern])
            #expect(count.understood * 10 >= count.all * 9, "\(pattern.rawValue): \(count)")
        }
    }

    @Test(arguments: Language.codes)
    func noExampleIsAboutAnythingElse(code: String) throws {
        let language = try #require(Language.named(code))
        for seed in 0..<3 {
            let listener = HomeListener(home: Self.home(UInt64(seed), language), language: language)
            let examples = listener.examples()
            #expect(!examples.isEmpty && examples.count <= HomeListener.exampleLimit)
            for sentence in examples {
                guard case .requests = listener.interpret(sentence) else {
                    Issue.record("“\(sentence)” is not understood")
                    continue
                }
            }
            #expect(listener.examples(about: "s0").allSatisfy { $0.contains(listener.home.services[0].name) })
        }
    }

    @Test func aGrammarHasTheHomesNamesAndNumbersInWords() throws {
        let grammar = try Fixtures.listener().grammar()
        #expect(grammar.hasPrefix("#JSGF V1.0 UTF-8 en;\ngrammar home;\npublic <command> = <on> | <off>"))
        #expect(grammar.contains("<lock> = lock (front door | back door);"))
        #expect(grammar.contains("<allLightsOff> = turn off all the lights;"))
        #expect(grammar.contains("percent;") && grammar.contains("| forty | forty one | forty two |"))
        #expect(grammar.contains("| ninety nine | a hundred)"))
    }

    @Test(arguments: Language.codes)
    func aGrammarsNumbersAreUnderstood(code: String) throws {
        let language = try #require(Language.named(code))
        let home = SpokenHome(name: "x", rooms: [], services: [Fixtures.light("l", "gx53", nil)])
        let listener = HomeListener(home: home, language: language)
        let text = try #require(language.texts["say.brightness"])
        for number in 1...100 {
            // The words of most languages differ only in their endings.
            guard ["en", "fr", "ru"].contains(code) || number % 7 == 0 || number == 100 else { continue }
            let words = try #require(language.numberWords[number], "no words for \(number)")
            let sentence = FilledText.fill(text, ["name": "gx53", "number": words])
            guard case .requests(let requests) = listener.interpret(sentence), requests.count == 1,
                case .write(let writes, nil, _) = requests[0]
            else {
                Issue.record("“\(sentence)” is not understood")
                continue
            }
            #expect(writes.contains { $0.trait == .brightness && $0.value == Double(number) }, "\(sentence): \(writes)")
        }
    }

    @Test(arguments: [
        ("turn off the lights in the lake house", "lake", "turn off the lights in the"),
        ("are any lights on at Ann's Cabin", "cabin", "are any lights on at"),
    ])
    func aSentenceNamesAnotherHome(sentence: String, id: String, beginning: String) throws {
        let language = try #require(Language.named("en"))
        let homes = [(id: "lake", name: "Lake House"), (id: "cabin", name: "Ann's Cabin")]
        let found = try #require(HomeListener.home(namedIn: sentence, among: homes, language))
        #expect(found.id == id)
        #expect(found.sentence.hasPrefix(beginning))
        guard case .requests = try Fixtures.listener().interpret(found.sentence) else {
            Issue.record("“\(found.sentence)” is not understood")
            return
        }
        #expect(HomeListener.home(namedIn: "turn off the lights", among: homes, language) == nil)
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
