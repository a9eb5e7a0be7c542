import HomeModel
import Testing

@testable import Voice

@Suite struct RussianTests {
    static let home = SpokenHome(
        name: "Дом",
        rooms: [
            SpokenHome.Room(id: "living", name: "Гостиная"), SpokenHome.Room(id: "kitchen", name: "Кухня"),
            SpokenHome.Room(id: "bedroom", name: "Спальня"), SpokenHome.Room(id: "hall", name: "Прихожая"),
            SpokenHome.Room(id: "masha", name: "Комната Маши"),
        ],
        zones: [
            SpokenHome.Zone(id: "first", name: "Первый этаж", rooms: ["living", "kitchen", "hall"]),
            SpokenHome.Zone(id: "second", name: "Второй этаж", rooms: ["bedroom", "masha"]),
        ],
        services: [
            Fixtures.light("l1", "Торшер", "living", isOn: true), Fixtures.light("l2", "Люстра", "living"),
            Fixtures.light("k1", "Подсветка шкафов", "kitchen", isOn: true),
            Fixtures.light("b1", "Лампа у кровати", "bedroom"), Fixtures.light("h1", "Бра", "hall"),
            Fixtures.light("m1", "Гирлянда", "masha"),
            Fixtures.service("f1", "Вентилятор", .fan, "bedroom", [.active: 0, .rotationSpeed: 40]),
            Fixtures.service("o1", "Чайник", .outlet, "kitchen", [.on: 0]),
            Fixtures.service("e1", "Ёлка", .outlet, "living", [.on: 0]),
            Fixtures.service(
                "t1",
                "Термостат",
                .thermostat,
                "living",
                [.targetTemperature: 20, .currentTemperature: 21, .targetHeatingCoolingState: 1]
            ),
            Fixtures.service("w1", "Левая штора", .blinds, "living", [.targetPosition: 100, .currentPosition: 100]),
            Fixtures.service("w2", "Жалюзи", .blinds, "kitchen", [.targetPosition: 0, .currentPosition: 0]),
            Fixtures.service("d1", "Входная дверь", .lock, "hall", [.lockTargetState: 1, .lockCurrentState: 1]),
            Fixtures.service("d2", "Задняя дверь", .lock, "kitchen", [.lockTargetState: 0, .lockCurrentState: 0]),
            Fixtures.service("g1", "Ворота", .garageDoor, "hall", [.targetDoorState: 1, .currentDoorState: 1]),
            Fixtures.service("v1", "Кран воды", .valve, "kitchen", [.active: 0, .inUse: 0]),
            Fixtures.service("o2", "Датчик движения", .motionSensor, "hall", [.motion: 1]),
        ],
        scenes: [
            SpokenHome.Scene(id: "movie", name: "Вечеринка"), SpokenHome.Scene(id: "home", name: "Я дома"),
        ]
    )

    static func interpret(_ sentence: String) throws -> Interpretation {
        try Fixtures.listener("ru", home: home).interpret(sentence, room: "living")
    }

    /// What a sentence writes, as "service trait value", sorted; nil if it writes nothing.
    static func writes(_ sentence: String) throws -> [String]? {
        guard case .requests(let requests) = try interpret(sentence) else { return nil }
        let writes = requests.flatMap { request in
            if case .write(let writes, _, _) = request { writes } else { [] as [SpokenWrite] }
        }
        return Set(
            writes.map { write in
                let value = write.value == write.value.rounded() ? "\(Int(write.value))" : "\(write.value)"
                return "\(write.service) \(write.trait.rawValue) \(value)"
            }
        )
        .sorted()
    }

    @Test(arguments: [
        ("включи люстру", ["l2 On 1"]),
        ("погасите, пожалуйста, торшер", ["l1 On 0"]),
        ("вырубай свет на кухне", ["k1 On 0"]),
        ("можно включить свет в прихожей", ["h1 On 1"]),
        ("не могла бы ты выключить лампу у кровати", ["b1 On 0"]),
        ("хочу, чтобы в спальне включился свет", ["b1 On 1"]),
        ("зажги ёлку", ["e1 On 1"]),
        ("зажги елку", ["e1 On 1"]),
        ("выключи свет у Маши", ["m1 On 0"]),
        ("выключи весь свет, кроме кухни и прихожей", ["b1 On 0", "l1 On 0", "l2 On 0", "m1 On 0"]),
        ("потуши свет на втором этаже", ["b1 On 0", "m1 On 0"]),
        ("выключи свет на 1-м этаже", ["h1 On 0", "k1 On 0", "l1 On 0", "l2 On 0"]),
        ("выключи торшер и закрой левую штору", ["l1 On 0", "w1 TargetPosition 0"]),
        ("выключи чайник, а люстру включи", ["l2 On 1", "o1 On 0"]),
        ("выключи лампы, которые горят", ["l1 On 0"]),
        ("мне темно, включи люстру", ["l2 On 1"]),
        ("включи бра, чтобы я мог найти ключи", ["h1 On 1"]),
        ("здесь темновато", ["l1 On 1", "l2 On 1"]),
        ("запри обе двери", ["d1 LockTargetState 1", "d2 LockTargetState 1"]),
        ("перекрой воду", ["v1 Active 0"]),
    ])
    func formsOfVerbsAndCasesOfNamesAreUnderstood(sentence: String, writes: [String]) throws {
        #expect(try Self.writes(sentence) == writes)
    }

    @Test(arguments: [
        ("яркость торшера тридцать пять процентов", ["l1 Brightness 35"]),
        ("увеличь яркость торшера на двадцать процентов", ["l1 Brightness 70"]),
        ("убавь яркость торшера до двадцати процентов", ["l1 Brightness 20"]),
        ("торшер чуть поярче", ["l1 Brightness 60"]),
        ("торшер на полную", ["l1 Brightness 100"]),
        ("пусть торшер будет синим", ["l1 Hue 240", "l1 Saturation 100"]),
        ("поставь торшер на две тысячи пятьсот кельвинов", ["l1 ColorTemperature 400"]),
        ("сделай торшер тёплым белым", ["l1 ColorTemperature 370"]),
        ("сделай на два градуса теплее", ["t1 TargetTemperature 22"]),
        ("сделай двадцать один с половиной градус", ["t1 TargetTemperature 21.5"]),
        ("мне слишком жарко", ["t1 TargetTemperature 19"]),
        ("закрой левую штору на тридцать процентов", ["w1 TargetPosition 30"]),
        ("подними жалюзи наполовину", ["w2 TargetPosition 50"]),
        ("вентилятор побыстрее", ["f1 Active 1", "f1 RotationSpeed 65"]),
    ])
    func anAmountIsSetAfterMostVerbsAndAChangeAfterSome(sentence: String, writes: [String]) throws {
        #expect(try Self.writes(sentence) == writes)
    }

    @Test(arguments: [
        ("дверь заперта", SpokenAnswer.yesNo(false)), ("заперта ли входная дверь", .yesNo(true)),
        ("не заперта ли задняя дверь", .yesNo(true)), ("ворота закрыты?", .yesNo(true)),
        ("горит ли свет на кухне", .yesNo(true)), ("есть кто-нибудь в прихожей", .yesNo(true)),
        ("сколько ламп включено", .count(2)), ("где горит свет", .services(["l1", "k1"])),
        ("какие шторы открыты", .services(["w1"])),
    ])
    func aStateIsAskedWithAndWithoutAWordThatAsks(sentence: String, answer: SpokenAnswer) throws {
        guard case .requests(let requests) = try Self.interpret(sentence), case .read(_, let found) = requests.first
        else {
            Issue.record("\(sentence) was not understood as a question")
            return
        }
        #expect(found == answer)
    }

    @Test(arguments: [
        "какая температура в гостиной", "сколько сейчас градусов", "тепло ли здесь?", "холодно в гостиной?",
    ])
    func aTemperatureIsAsked(sentence: String) throws {
        let read = SpokenRead(service: "t1", trait: .currentTemperature)
        #expect(try Self.interpret(sentence) == .requests([.read([read], answer: nil)]))
    }

    @Test(arguments: [
        ("включи чайник через десять минут", SpokenTime.after(seconds: 600)),
        ("через полтора часа включи чайник", .after(seconds: 5_400)),
        ("через два с половиной часа включи чайник", .after(seconds: 9_000)),
        ("включи чайник через час двадцать минут", .after(seconds: 4_800)),
        ("в семь вечера включи чайник", .at(hour: 19, minute: 0)),
        ("включи чайник в 7 часов утра", .at(hour: 7, minute: 0)),
        ("включи чайник в половине восьмого", .at(hour: 7, minute: 30)),
        ("включи чайник в полвосьмого вечера", .at(hour: 19, minute: 30)),
        ("включи чайник в четверть девятого", .at(hour: 8, minute: 15)),
        ("включи чайник без двадцати восемь", .at(hour: 7, minute: 40)),
        ("включи чайник без пяти минут семь вечера", .at(hour: 18, minute: 55)),
        ("включи чайник в 19 часов 20 минут", .at(hour: 19, minute: 20)),
        ("в полночь включи чайник", .at(hour: 0, minute: 0)),
    ])
    func aTimeIsSaidInTheRussianWay(sentence: String, time: SpokenTime) throws {
        let write = SpokenWrite(service: "o1", trait: .on, value: 1)
        #expect(try Self.interpret(sentence) == .requests([.write([write], at: time, confirmation: nil)]))
    }

    @Test(arguments: ["включи вечеринку", "запусти сцену вечеринка", "вечеринка"])
    func aSceneIsRun(sentence: String) throws {
        #expect(try Self.interpret(sentence) == .requests([.run(scenes: ["movie"], at: nil)]))
    }

    @Test(arguments: ["отопри входную дверь", "открой входную дверь", "открой ворота", "включи воду"])
    func openingAsksForAConfirmation(sentence: String) throws {
        guard case .requests(let requests) = try Self.interpret(sentence),
            case .write(_, _, .opens) = requests.first
        else {
            Issue.record("\(sentence) asked for no confirmation")
            return
        }
    }

    @Test(arguments: [
        "отопри входную двурь", "отопри фходную дверь", "открой варота", "открой вората", "открой кран вады",
        "отопри входную", "включи свет на третьем этаже", "включи свет на 3 этаже", "останови жалюзи",
        "включи торшер на десять минут", "включи торшер до семи вечера", "включи левый торшер", "Маша дома?",
    ])
    func whatMayBeMeantOtherwiseIsNotDone(sentence: String) throws {
        #expect((try Self.writes(sentence) ?? []).isEmpty)
    }

    @Test(arguments: [
        "какая сегодня погода", "какая погода будет завтра в москве", "включи музыку",
        "поставь будильник на семь утра", "поставь таймер на десять минут", "напомни выключить свет вечером",
        "напомни мне закрыть ворота через час", "расскажи анекдот", "сколько времени", "который час",
        "какой сегодня день", "лампа в фильме была красивая", "свет в конце тоннеля", "у меня дома живёт кошка",
        "сколько будет два плюс два", "что такое термостат", "как открыть дверь без ключа", "сколько стоит лампа",
        "купи лампочки", "закажи пиццу", "позвони маме", "отправь сообщение ивану", "какая температура на марсе",
        "какая температура на улице завтра", "включи радио", "включи первый канал", "сделай погромче",
        "переключи песню", "спокойной ночи малыши", "кто открыл америку", "почему свет так быстро движется",
        "зачем ты выключил свет", "не включай свет", "не открывай ворота", "никогда не открывай дверь",
        "я выключу свет сам", "мама включит свет", "если станет темно включи свет", "когда я приду включи свет",
        "каждый день в семь включай свет", "каждое утро открывай шторы", "привет", "спасибо", "как дела",
        "что ты умеешь", "ты дурак", "открой браузер", "закрой приложение", "открой настройки",
        "включи камеру на телефоне", "найди рецепт борща", "переведи слово дом на английский", "какой курс доллара",
        "сколько градусов в кипящей воде", "сыграем в города", "кто такой пушкин", "прочитай новости",
        "добавь молоко в список покупок", "запиши в календарь встречу в семь", "свет мой зеркальце скажи",
        "белый и красный цвета", "тёплый вечер в саду", "двадцать", "выключи", "включи", "свет", "дверь", "открой",
        "закрой", "на кухне", "дом милый дом", "я люблю тёплый свет", "сегодня холодный день",
        "вчера в гостиной горел свет", "лампа стоит на столе", "кофеварка сломалась", "мы открыли дверь и вошли",
        "вода закипела", "вечеринка была отличная", "в кино показывали хороший фильм", "окно выходит в сад",
        "как включить свет", "можно ли закрывать ворота зимой", "какой режим лучше", "убавь громкость",
        "поехали домой", "включи обогрев сидений", "открой дверь машины", "выключи двигатель",
        "открой входную дверку шкафа", "отопри входную двурь", "открой варота", "открой вората",
        "разблокируй телефон", "выключи компьютер", "свет в ванной комнате у соседей", "увеличь масштаб",
        "уменьши шрифт", "поверни налево", "опусти голову", "подними руку", "запусти стиральную машину",
        "поставь чайник на плиту",
    ])
    func whatIsNoCommandDoesNothing(sentence: String) throws {
        guard case .requests(let requests) = try Self.interpret(sentence) else { return }
        for request in requests {
            guard case .read = request else {
                Issue.record("\(sentence) did something")
                continue
            }
        }
    }

    @Test(arguments: [
        (1, "Изменить 1 устройство?"), (2, "Изменить 2 устройства?"), (5, "Изменить 5 устройств?"),
        (11, "Изменить 11 устройств?"), (21, "Изменить 21 устройство?"), (112, "Изменить 112 устройств?"),
    ])
    func anAnswerHasThePluralOfItsCount(count: Int, text: String) throws {
        let reply = SpokenReply(language: try #require(Language.named("ru")))
        let request = Request.write([], at: nil, confirmation: .many(count))
        #expect(reply.confirmation(of: request, in: Self.home) == text)
    }
}
