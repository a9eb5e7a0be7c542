import Testing

@testable import Voice

@Suite struct QuestionTests {
    @Test(arguments: [
        ("is the front door locked", SpokenAnswer.yesNo(true)),
        ("are all the doors locked", .yesNo(false)),
        ("are any lights on", .yesNo(true)),
        ("how many lights are on", .count(2)),
        ("which lights are on downstairs", .services(["l1", "k2"])),
        ("is the garage door open", .yesNo(false)),
        ("which doors are unlocked", .services(["d2"])),
    ])
    func aQuestionAboutStatesIsAnsweredFromTheHome(sentence: String, answer: SpokenAnswer) throws {
        guard case .requests(let requests) = try Fixtures.listener().interpret(sentence),
            case .read(_, let found) = requests.first
        else {
            Issue.record("\(sentence) was not understood as a question")
            return
        }
        #expect(found == answer)
    }

    @Test(arguments: [
        "how warm is it in the living room", "what's the living room temperature?", "living room temperature",
    ])
    func aQuestionAboutAValueReadsIt(sentence: String) throws {
        let read = SpokenRead(service: "t1", trait: .currentTemperature)
        #expect(try Fixtures.listener().interpret(sentence) == .requests([.read([read], answer: nil)]))
    }

    @Test(arguments: [
        "are the blinds down", "do you know if the front door is open", "is it dark in the kitchen",
        "is the front door closed and the back door locked", "did I leave the counter on", "is the garage open?",
    ])
    func aQuestionChangesNothing(sentence: String) throws {
        guard case .requests(let requests) = try Fixtures.listener().interpret(sentence, room: "living") else {
            Issue.record("nothing was understood")
            return
        }
        #expect(requests.allSatisfy { $0.isRead })
    }
}
