import HomeModel
import Testing

@testable import Voice

@Suite struct ReplyTests {
    private static func answer(_ sentence: String, _ code: String = "en", failed: Set<String> = []) throws -> String {
        let language = try #require(Language.named(code))
        let home = code == "de" ? Fixtures.german : Fixtures.english
        let listener = HomeListener(home: home, language: language)
        let reply = SpokenReply(language: language)
        switch listener.interpret(sentence) {
        case .requests(let requests):
            if let question = requests.compactMap({ reply.confirmation(of: $0, in: home) }).first { return question }
            return requests.map { reply.text(for: $0, in: home, failed: failed) }.joined(separator: " ")
        case .question(let question): return reply.question(question, in: home)
        case .nothing(let misunderstanding): return reply.misunderstanding(misunderstanding)
        }
    }

    @Test(arguments: [
        ("turn on the floor lamp", "Floor Lamp is on."),
        ("turn off the living room lights", "Floor Lamp and Hue 2 are off."),
        ("turn off all lights", "6 devices are off."),
        ("set the floor lamp to 40 percent", "Floor Lamp: 40%."),
        ("close the blinds", "Blinds is closed."),
        ("set the thermostat to 22.5 degrees", "Thermostat: 22.5 °C."),
        ("lock the back door", "Back Door is locked."),
        ("unlock the front door", "Unlock Front Door?"),
        ("open the garage door", "Open Garage Door?"),
        ("unlock the door", "Which one: Front Door or Back Door?"),
        ("movie time", "Movie Time is on."),
        ("turn off the floor lamp at 19:00", "OK, at 19:00."),
        ("is the garage door open", "No. Garage Door is closed."),
        ("which lights are on downstairs", "2: Floor Lamp and Counter."),
        ("how warm is it in the living room", "Thermostat: 21 °C."),
        ("set the floor lamp to 900 percent", "900 isn't possible, only 0% to 100%."),
        ("turn on the dongle", "I don't know “dongle”."),
        ("turn on the bedsit", "I don't know “bedsit”. Did you mean Bedside Lamp?"),
        ("", "I heard nothing."),
    ])
    func answersSayWhatBecameOfASentence(sentence: String, answer: String) throws {
        #expect(try Self.answer(sentence) == answer)
    }

    @Test func anAnswerNamesWhatDidNotAnswer() throws {
        let answer = try Self.answer("turn off the living room lights", failed: ["l2"])
        #expect(answer == "Floor Lamp is off. Hue 2 doesn't answer.")
        #expect(try Self.answer("turn on the floor lamp", failed: ["l1"]) == "Floor Lamp doesn't answer.")
        #expect(try Self.answer("movie time", failed: ["movie"]) == "Movie Time doesn't answer.")
    }

    @Test(arguments: [
        ("mach die Stehlampe an", "Stehlampe ist an."), ("schließ die Haustür auf", "Haustür aufschließen?"),
        ("stell das Thermostat auf 21,5 Grad", "Thermostat: 21,5 °C."),
    ])
    func answersAreInTheLanguageOfTheSentence(sentence: String, answer: String) throws {
        #expect(try Self.answer(sentence, "de") == answer)
    }

    @Test func theStateOfAnAccessoryThatDoesNotAnswerIsntKnown() throws {
        var home = Fixtures.english
        let index = try #require(home.services.firstIndex { $0.id == "l1" })
        home.services[index].values = [:]
        let language = try #require(Language.named("en"))
        let listener = HomeListener(home: home, language: language)
        let reply = SpokenReply(language: language)
        guard case .nothing(let reason) = listener.interpret("make the floor lamp brighter") else {
            Issue.record("a brightness was computed from nothing")
            return
        }
        #expect(reply.misunderstanding(reason) == "The state of Floor Lamp isn't known.")
        guard case .requests(let requests) = listener.interpret("turn on the floor lamp") else {
            Issue.record("a lamp was not turned on")
            return
        }
        #expect(requests == [.write([SpokenWrite(service: "l1", trait: .on, value: 1)], at: nil, confirmation: nil)])
    }

    @Test func aNameWithBracesStaysAsItIs() throws {
        let language = try #require(Language.named("en"))
        let home = SpokenHome(name: "Home", rooms: [], services: [Fixtures.light("x", "A {names}", nil)])
        let write = Request.write([SpokenWrite(service: "x", trait: .on, value: 1)], at: nil, confirmation: nil)
        #expect(SpokenReply(language: language).text(for: write, in: home) == "A {names} is on.")
    }

    @Test(arguments: [(1, 0), (2, 1), (5, 2), (11, 2), (12, 2), (21, 0), (22, 1), (111, 2), (0, 2)])
    func slavicPluralsHaveThreeForms(count: Int, form: Int) {
        #expect(PluralRule.slavic.form(of: count) == form)
    }

    @Test func theSpeakersChoiceAnswersTheQuestion() throws {
        let listener = try Fixtures.listener()
        guard case .question(let question) = listener.interpret("unlock the door") else {
            Issue.record("nothing was asked")
            return
        }
        let back = try #require(question.candidates.last)
        let write = SpokenWrite(service: "d2", trait: .lockTargetState, value: 0)
        #expect(
            listener.interpret("unlock the door", choosing: back.id)
                == .requests([.write([write], at: nil, confirmation: .opens)])
        )
    }

    @Test func valuesChangeWithoutTheNamesBeingReadAgain() throws {
        let listener = try Fixtures.listener()
        var home = Fixtures.english
        let index = try #require(home.services.firstIndex { $0.id == "g1" })
        home.services[index].values[.currentDoorState] = 0
        let updated = try #require(listener.updated(to: home))
        guard case .requests(let requests) = updated.interpret("is the garage door open"),
            case .read(_, let answer) = requests.first
        else {
            Issue.record("not understood")
            return
        }
        #expect(answer == .yesNo(true))
        home.services[index].name = "Gate"
        #expect(listener.updated(to: home) == nil)
    }
}
