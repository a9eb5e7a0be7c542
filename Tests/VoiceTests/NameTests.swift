import HomeModel
import Testing

@testable import Voice

@Suite struct NameTests {
    private static let home = SpokenHome(
        name: "Home",
        rooms: [SpokenHome.Room(id: "living", name: "Living Room"), SpokenHome.Room(id: "bedroom", name: "Bedroom")],
        services: [
            Fixtures.light("l1", "Ceiling Spotlight", "living"), Fixtures.light("l2", "Couch Spotlight", "living"),
            Fixtures.light("l3", "Floor Lamp", "living"), Fixtures.light("b1", "Left Bedside Lamp", "bedroom"),
            Fixtures.light("b2", "Right Bedside Lamp", "bedroom"),
        ]
    )

    private func meaning(_ sentence: String) throws -> String {
        switch try Fixtures.listener(home: Self.home).interpret(sentence, room: "living") {
        case .requests(let requests):
            let writes = requests.flatMap {
                if case .write(let writes, _, _) = $0 { writes } else { [] as [SpokenWrite] }
            }
            return writes.map(\.service).joined(separator: " ")
        case .question(let question): return question.candidates.map(\.id).joined(separator: " or ")
        case .nothing: return "nothing"
        }
    }

    @Test(arguments: [
        ("turn on the spotlights", "l1 l2"), ("turn on the lights", "l1 l2 l3"), ("turn on the couch spotlight", "l2"),
        ("turn on the right bedside lamp", "b2"), ("turn on the bedside lamp", "b1 or b2"),
        ("turn on one of the bedside lamps", "b1 or b2"), ("turn on both bedside lamps", "b1 b2"),
        ("turn on the front lamp", "nothing"),
    ])
    func aPartOfANameMeansAllThatHaveIt(sentence: String, services: String) throws {
        #expect(try meaning(sentence) == services)
    }

    @Test(arguments: [("zh", "左床头灯", "右床头灯", "打开床头灯"), ("ja", "左のベッドサイドランプ", "右のベッドサイドランプ", "ベッドサイドランプをつけて")])
    func theEndOfANameWithoutSpacesNamesIt(code: String, left: String, right: String, sentence: String) throws {
        let services = [Fixtures.light("b1", left, nil), Fixtures.light("b2", right, nil)]
        let home = SpokenHome(name: "Home", rooms: [], services: services)
        guard case .question(let question) = try Fixtures.listener(code, home: home).interpret(sentence) else {
            Issue.record("nothing was asked")
            return
        }
        #expect(question.candidates.map(\.name) == [left, right])
    }

    @Test(arguments: [
        ("de", "Schalte das Kitchen Light an", ["k1 On 1"]),
        ("de", "mach die Lichter in der Kitchen aus", ["k1 On 0", "k2 On 0"]),
        ("de", "schließ die Front Door ab", ["d1 LockTargetState 1"]), ("fr", "éteins la Floor Lamp", ["l1 On 0"]),
        ("fr", "baisse les Blinds", ["s1 TargetPosition 0"]),
        ("es", "apaga las luces de la Kitchen", ["k1 On 0", "k2 On 0"]),
        ("ru", "включи Kitchen Light", ["k1 On 1"]), ("ru", "запри Front Door", ["d1 LockTargetState 1"]),
        ("ru", "поставь Floor Lamp на 20 процентов", ["l1 Brightness 20"]), ("zh", "打开Kitchen Light", ["k1 On 1"]),
        ("zh", "关掉 Living Room 的灯", ["l1 On 0", "l2 On 0"]), ("zh-TW", "關掉Kitchen的燈", ["k1 On 0", "k2 On 0"]),
        ("zh-TW", "鎖上Front Door", ["d1 LockTargetState 1"]), ("ja", "Kitchen Lightをつけて", ["k1 On 1"]),
        ("ja", "Front Doorを施錠して", ["d1 LockTargetState 1"]), ("ja", "Floor Lamp を消して", ["l1 On 0"]),
    ])
    func sentencesOfEveryLanguageHaveEnglishNames(code: String, sentence: String, writes: [String]) throws {
        let listener = try Fixtures.listener(code, home: Fixtures.english)
        guard case .requests(let requests) = listener.interpret(sentence, room: "living"),
            case .write(let found, _, _) = requests.first
        else {
            Issue.record("“\(sentence)” is not understood")
            return
        }
        #expect(found.map(RomanceFixtures.text).sorted() == writes)
    }
}
