import HomeModel
import Testing

@testable import Voice

@Suite struct SafetyTests {
    @Test(arguments: ["unlock the front door", "open the garage door", "open the front door", "turn on the main valve"])
    func openingAndUnlockingAsksForAConfirmation(sentence: String) throws {
        guard case .requests(let requests) = try Fixtures.listener().interpret(sentence),
            case .write(_, _, let confirmation) = requests.first
        else {
            Issue.record("\(sentence) was not understood")
            return
        }
        #expect(confirmation == .opens)
    }

    @Test func unlockingOneOfSeveralDoorsAsksWhich() throws {
        let interpretation = try Fixtures.listener().interpret("unlock the door")
        guard case .question(let question) = interpretation else {
            Issue.record("\(interpretation)")
            return
        }
        #expect(question.candidates.map(\.name) == ["Front Door", "Back Door"])
    }

    @Test(arguments: [
        "unlock the frunt door", "unlock the font door", "open the garrage door", "open the main valv", "unlock front",
    ])
    func aGuessNeverReachesWhatKeepsPeopleOrWaterOut(sentence: String) throws {
        #expect(try Fixtures.writes(sentence) == nil)
    }

    @Test func aSpellingMistakeInAnotherNameIsForgiven() throws {
        #expect(try Fixtures.writes("turn off the cieling fan") == ["f1 Active 0"])
        #expect(try Fixtures.writes("turn off the cofee machine") == ["c1 On 0"])
    }

    @Test(arguments: [
        "what is the weather like", "turn off the television in the attic", "play some music",
        "remind me to lock the door",
        "don't turn off the lights", "turn on the lights if it rains", "turn the lights on and off", "set the lamp",
        "seven hundred", "turn off the lights for ten minutes", "is", "turn", "on", "?", "the", "light the fire",
        "open it", "turn off the kitchen counter in the bedroom", "is it raining", "switch it off", "turn it up",
        "what's going on", "the garage door opened", "set the ceiling fan to speed 3",
        "turn the counter on tomorrow",
    ])
    func whatIsNoCommandDoesNothing(sentence: String) throws {
        #expect(try Fixtures.writes(sentence) == nil)
    }

    @Test func theWordsThatWereNotUnderstoodAreNamed() throws {
        for (language, sentence, words) in [
            ("en", "turn on the Flux capacitor", ["Flux", "capacitor"]), ("de", "schalte den Föhn ein", ["Föhn"]),
            ("zh-TW", "打開微波爐", ["微波爐"]),
        ] {
            let interpretation = try Fixtures.listener(language).interpret(sentence)
            #expect(interpretation == .nothing(.unknownWords(words, near: [])))
        }
    }

    @Test func aValueOutOfRangeIsRefusedWithItsLimits() throws {
        #expect(
            try Fixtures.listener().interpret("set the floor lamp to 900 %")
                == .nothing(.outOfRange(.brightness, value: 900, limits: 0...100))
        )
        #expect(try Fixtures.writes("set the floor lamp to 100 %") == ["l1 Brightness 100"])
        #expect(try Fixtures.writes("set the floor lamp to 101 %") == nil)
    }

    @Test func aSentenceHasAThousandCharactersAtMost() throws {
        let padding = String(repeating: " ", count: HomeListener.sentenceLimit - "turn off the counter".count)
        #expect(try Fixtures.writes("turn off the counter" + padding) == ["k2 On 0"])
        #expect(
            try Fixtures.listener().interpret("turn off the counter" + padding + " ")
                == .nothing(.tooLong(limit: HomeListener.sentenceLimit))
        )
        let long = String(repeating: "turn off the lights ", count: 5_000)
        #expect(try Fixtures.listener().interpret(long) == .nothing(.tooLong(limit: HomeListener.sentenceLimit)))
    }

    @Test(arguments: [
        "\u{0}\u{1B}[2J", "🔥🔥🔥", "\u{202E}sthgil eht ffo nrut", "включи lights аn", "%%%%", "1 2 3 4 5", "-", "\n\r\t",
    ])
    func textOfAnyKindIsSurvived(sentence: String) throws {
        #expect(try Fixtures.writes(sentence) == nil)
    }

    @Test func aSentenceThatChangesVeryManyServicesAsksFirst() throws {
        let services = (0..<200).map { Fixtures.light("s\($0)", "Lamp \($0)", "r\($0 % 20)") }
        let rooms = (0..<20).map { SpokenHome.Room(id: "r\($0)", name: "Room \($0)") }
        let listener = try Fixtures.listener(home: SpokenHome(name: "Home", rooms: rooms, services: services))
        guard case .requests(let requests) = listener.interpret("turn off all the lights"),
            case .write(let writes, _, let confirmation) = requests.first
        else {
            Issue.record("the sentence was not understood")
            return
        }
        #expect(writes.count == 200)
        #expect(confirmation == .many(200))
    }

    @Test func aNameThatSeveralRoomsShareAPartOfIsAskedFor() throws {
        let rooms = (0..<500).map { SpokenHome.Room(id: "r\($0)", name: "Guest Suite \($0)") }
        let services = rooms.map { Fixtures.light("s" + $0.id, "Lamp " + $0.id, $0.id) }
        let listener = try Fixtures.listener(home: SpokenHome(name: "Hotel", rooms: rooms, services: services))
        guard case .question(let question) = listener.interpret("turn on the suite lights") else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.candidates.count == 500)
        #expect(
            listener.interpret("turn on the lights in guest suite 17")
                == .requests([.write([SpokenWrite(service: "sr17", trait: .on, value: 1)], at: nil, confirmation: nil)])
        )
    }
}
