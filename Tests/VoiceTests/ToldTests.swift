import HomeModel
import Testing

@testable import Voice

/// Sentences that tell what somebody did are no commands, and commands that look alike are.
@Suite struct ToldTests {
    private static func light(_ language: String) throws -> HomeListener {
        let home = SpokenHome(
            name: "x",
            rooms: [],
            services: [
                Fixtures.light("l", "gx53", nil, isOn: true),
                Fixtures.service("d", "gx54", .lock, nil, [.lockTargetState: 0, .lockCurrentState: 0]),
                Fixtures.service(
                    "g",
                    "gx55",
                    .garageDoor,
                    nil,
                    [.targetDoorState: 1, .currentDoorState: 1]
                ),
                Fixtures.service("b", "gx56", .blinds, nil, [.targetPosition: 100, .currentPosition: 100]),
            ]
        )
        return HomeListener(home: home, language: try #require(Language.named(language)))
    }

    @Test(arguments: [
        (
            "en",
            [
                "I turned off the lights", "I've just turned the lights off", "we locked the door",
                "you turned off the lights", "I set the lights to 50 percent", "I dimmed the lights",
                "he opened the garage door", "I'm turning off the lights", "I will turn off the lights",
                "thanks for turning off the lights", "I forgot to turn off the lights",
                "I had the lights on",
            ]
        ),
        (
            "de",
            [
                "ich habe das Licht ausgeschaltet", "ich hab das Licht ausgemacht",
                "wir haben die Tür abgeschlossen",
                "ich habe die Rollläden geschlossen", "ich machte das Licht aus", "ich hatte das Licht an",
                "das Licht wurde ausgeschaltet", "ich habe das Garagentor geöffnet",
                "danke dass das Licht aus ist",
            ]
        ),
        (
            "fr",
            [
                "j'ai éteint la lumière", "j'ai déjà allumé la lumière", "il a fermé les volets",
                "nous avons verrouillé la porte", "elle a ouvert le garage",
                "je viens d'éteindre la lumière",
                "merci d'avoir éteint la lumière",
            ]
        ),
        (
            "es",
            [
                "apagué la luz", "ella encendió las luces", "he apagado la luz", "cerré la puerta",
                "abrí el garaje",
                "había encendido la luz", "dejé la luz encendida", "gracias por apagar la luz",
            ]
        ),
        (
            "ru",
            [
                "я выключил свет", "она уже выключила свет", "мы закрыли дверь", "я открыл гараж",
                "свет погас",
            ]
        ),
        (
            "zh",
            ["我关了灯", "我把灯关了", "我已经关灯了", "他开了灯", "我把门锁了", "我打开了车库门", "灯被关了", "谢谢你关灯", "刚才关了灯"]
        ),
        ("zh-TW", ["我關了燈", "我把燈關了", "我已經關燈了", "他開了燈", "我把門鎖了", "燈被關了"]),
        ("ja", ["電気を消した", "電気をつけました", "私は電気を消しています", "ドアを閉めました", "電気を消してしまった"]),
    ])
    func whatWasDoneIsNotDoneAgain(language: String, sentences: [String]) throws {
        let listener = try Self.light(language)
        for sentence in sentences {
            switch listener.interpret(sentence) {
            case .nothing: break
            case .requests(let requests):
                let isRead = requests.allSatisfy(\.isRead)
                #expect(isRead, "\(sentence): \(requests)")
            case .question(let question): Issue.record("\(sentence): \(question)")
            }
        }
    }

    @Test(arguments: [
        (
            "en",
            [
                "I want the lights turned off", "can you set the lights to 50 percent",
                "I'd like the door locked",
            ]
        ),
        (
            "de",
            [
                "ich will das Licht ausgeschaltet haben", "ich möchte das Licht ausgeschaltet haben",
                "mach das Licht aus",
            ]
        ),
        ("fr", ["éteins la lumière", "ferme les volets", "merci d'éteindre la lumière"]),
        ("es", ["apague la luz", "apaga la luz", "encienda la luz", "deje la luz encendida"]),
        ("ru", ["выключи свет", "выключите свет"]),
        ("zh", ["把灯关了", "帮我把灯关了", "关灯"]), ("zh-TW", ["把燈關了", "幫我把燈關了"]),
        ("ja", ["電気を消して", "電気を消していただけますか"]),
    ])
    func whatIsWantedIsDone(language: String, sentences: [String]) throws {
        let listener = try Self.light(language)
        for sentence in sentences {
            guard case .requests(let requests) = listener.interpret(sentence),
                !requests.contains(where: \.isRead)
            else {
                Issue.record("“\(sentence)” is no command")
                continue
            }
        }
    }
}
