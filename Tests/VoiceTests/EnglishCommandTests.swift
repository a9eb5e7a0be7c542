import Testing

@testable import Voice

@Suite struct EnglishCommandTests {
    @Test(arguments: [
        ("turn off the lights", ["l1 On 0", "l2 On 0"]),
        ("lights off in the kitchen please", ["k1 On 0", "k2 On 0"]),
        ("switch the kitchen lights on", ["k1 On 1", "k2 On 1"]),
        ("could you turn on every light downstairs", ["h1 On 1", "k1 On 1", "k2 On 1", "l1 On 1", "l2 On 1"]),
        ("turn on all the lights", ["b1 On 1", "h1 On 1", "k1 On 1", "k2 On 1", "l1 On 1", "l2 On 1"]),
        ("turn on all lights except in the kitchen and the hallway", ["b1 On 1", "l1 On 1", "l2 On 1"]),
        ("turn on the lights in the bedroom and the hallway", ["b1 On 1", "h1 On 1"]),
        ("turn off the counter and the ceiling fan", ["f1 Active 0", "k2 On 0"]),
        ("turn off the reading lights", ["b1 On 0", "l1 On 0"]),
        ("turn off the lights that are on upstairs and downstairs", ["k2 On 0", "l1 On 0"]),
        ("shut everything down upstairs", ["b1 On 0", "f1 Active 0"]),
        ("turn off everything but the counter in the kitchen", ["c1 On 0", "k1 On 0"]),
        ("turn the kitchen lights back on", ["k1 On 1", "k2 On 1"]),
        ("would you mind turning off the counter", ["k2 On 0"]),
    ])
    func aCommandReachesTheServicesThatWereMeant(sentence: String, writes: [String]) throws {
        #expect(try Fixtures.writes(sentence) == writes)
    }

    @Test(arguments: [
        ("set the bedside lamp to forty two percent", ["b1 Brightness 42", "b1 On 1"]),
        ("dim the floor lamp to a quarter", ["l1 Brightness 25"]),
        ("floor lamp red", ["l1 Hue 0", "l1 Saturation 100"]),
        ("make the floor lamp warm white", ["l1 ColorTemperature 370"]),
        ("floor lamp to 4000 kelvin", ["l1 ColorTemperature 250"]),
        ("a little brighter", ["l1 Brightness 60", "l2 Brightness 60", "l2 On 1"]),
        ("turn the floor lamp down by 20 percent", ["l1 Brightness 30"]),
        ("dim the floor lamp by half", ["l1 Brightness 25"]),
        ("set the thermostat to 21.5 degrees", ["t1 TargetTemperature 21.5"]),
        ("it's too cold in here", ["t1 TargetTemperature 21"]),
        ("set the temperature to 68 fahrenheit", ["t1 TargetTemperature 20"]),
        ("ceiling fan at full speed", ["f1 Active 1", "f1 RotationSpeed 100"]),
        ("close the blinds halfway", ["s1 TargetPosition 50"]),
        ("raise the blinds", ["s1 TargetPosition 100"]),
        ("lock the front door", ["d1 LockTargetState 1"]),
        ("it is dark in here", ["l1 On 1", "l2 On 1"]),
        ("the floor lamp is too bright", ["l1 Brightness 25"]),
        ("make the floor lamp cooler", ["l1 ColorTemperature 250"]),
        ("set the temperature to twenty one and a half degrees", ["t1 TargetTemperature 21.5"]),
        ("turn the heat on", ["t1 TargetHeatingCoolingState 1"]),
    ])
    func aValueIsInTheCharacteristicsUnit(sentence: String, writes: [String]) throws {
        let found = try #require(try Fixtures.writes(sentence))
        #expect(found.map { $0.replacing(".00000000000001", with: "") } == writes)
    }

    @Test func twoCommandsInASentenceAreBothCarriedOut() throws {
        #expect(
            try Fixtures.writes("turn off the counter and close the blinds") == ["k2 On 0", "s1 TargetPosition 0"]
        )
        #expect(
            try Fixtures.writes("turn the floor lamp on and set it to 30 percent")
                == ["l1 Brightness 30", "l1 On 1"]
        )
    }

    @Test func aScenesNameRunsIt() throws {
        for sentence in ["set movie time", "movie time", "run the scene movie time", "turn on movie time"] {
            #expect(try Fixtures.listener().interpret(sentence) == .requests([.run(scenes: ["movie"], at: nil)]))
        }
    }

    @Test(arguments: [
        ("turn off the counter in ten minutes", SpokenTime.after(seconds: 600)),
        ("turn off the counter in half an hour", .after(seconds: 1_800)),
        ("turn off the counter at nine thirty pm", .at(hour: 21, minute: 30)),
        ("at quarter past seven in the evening turn off the counter", .at(hour: 19, minute: 15)),
        ("turn off the counter at 22:05", .at(hour: 22, minute: 5)),
        ("at noon turn off the counter", .at(hour: 12, minute: 0)),
        ("turn off the counter at seven tomorrow", .at(hour: 7, minute: 0, isTomorrow: true)),
        ("tomorrow evening at eight turn off the counter", .at(hour: 20, minute: 0, isTomorrow: true)),
    ])
    func aTimePutsACommandOff(sentence: String, time: SpokenTime) throws {
        let interpretation = try Fixtures.listener().interpret(sentence)
        #expect(
            interpretation
                == .requests([
                    .write([SpokenWrite(service: "k2", trait: .on, value: 0)], at: time, confirmation: nil)
                ])
        )
    }

    @Test func aTimeThatMayBeMorningOrEveningIsTheNextOne() throws {
        guard
            case .requests(let requests) = try Fixtures.listener()
                .interpret("turn off the counter at seven", now: 15 * 60),
            case .write(_, let time, _) = requests.first
        else {
            Issue.record("nothing was understood")
            return
        }
        #expect(time == .at(hour: 19, minute: 0))
    }
}
