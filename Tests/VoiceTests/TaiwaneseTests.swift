import Testing

@testable import Voice

@Suite struct TaiwaneseTests {
    @Test(arguments: [
        ("請幫我開客廳的電燈", "l1 On 1, l2 On 1"),
        ("電燈關起來", "l1 On 0, l2 On 0"),
        ("冷氣開二十六度", "t1 TargetTemperature 26"),
        ("打開鐵捲門", "g1 TargetDoorState 0"),
        ("把前門鎖起來", "d1 LockTargetState 1"),
        ("立燈調成暖黃光", "l1 ColorTemperature 370"),
        ("電風扇開強一點", "f1 Active 1, f1 RotationSpeed 65"),
        ("晚上十一點關掉立燈", "l1 On 0 at 23:00"),
        ("二十分鐘後把冷氣關掉", "t1 TargetHeatingCoolingState 0 after 1200"),
        ("一樓有幾盞燈是開著的", "l1 l2 k1 k2 e1: 2"),
        ("前門有沒有鎖", "d1: yes"),
        ("有任何門是上鎖的嗎", "d1 d2: yes"),
        ("客厅的灯打开", "l1 On 1, l2 On 1"),
        ("除了書房之外的燈全部關掉", "b1 On 0, e1 On 0, k1 On 0, k2 On 0, l1 On 0, l2 On 0"),
        ("打開電影模式", "run movie"),
        ("現在室內幾度", "read t1 CurrentTemperature"),
        ("好熱喔", "t1 TargetTemperature 19"),
        ("窗簾拉起來", "c1 TargetPosition 0"),
    ])
    func taiwansWordsAndTraditionalCharactersAreUnderstood(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh-TW") == meaning)
    }

    @Test(arguments: [
        "打開前門", "幫我開後門", "解鎖前門", "打開車庫門",
    ])
    func openingAndUnlockingAsks(sentence: String) throws {
        guard case .requests(let requests) = try EastAsianFixtures.interpret(sentence, "zh-TW"),
            case .write(let writes, _, .opens) = requests.first
        else {
            Issue.record("\(sentence) was not understood, or nobody was asked")
            return
        }
        #expect(writes.count == 1)
    }

    @Test(arguments: [
        "打開前們", "打開車庫們",
    ])
    func aGuessNeverReachesALockOrADoor(sentence: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh-TW") == "nothing")
    }

    @Test(arguments: [
        "今天天氣如何", "明天會下雨嗎", "播放周杰倫的歌", "幫我打電話給媽媽", "設定七點的鬧鐘", "提醒我關瓦斯", "講個笑話", "現在幾點",
        "電影裡的燈很漂亮", "昨天我忘記關燈", "冷氣多少錢", "打開臉書", "打開手電筒", "導航回家", "附近有什麼好吃的", "我喜歡紅色",
        "水的沸點是幾度", "窗簾要買哪一種", "這盞燈真好看", "門口有包裹", "鎖定螢幕", "幫我把信寄出去", "股票現在多少", "你會開門嗎",
        "他把門打開了", "燈的英文怎麼說", "開車要多久", "謝謝你", "打開",
    ])
    func whatIsNoCommandInTaiwanDoesNothing(sentence: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh-TW") == "nothing")
    }

    @Test(arguments: [
        ("打開立燈", "立燈已開啟。"),
        ("關掉客廳的電燈", "立燈和水晶燈已關閉。"),
        ("解鎖前門", "要解鎖前門嗎？"),
        ("冷氣幾度", "冷氣：21°C。"),
    ])
    func answersAreInWords(sentence: String, answer: String) throws {
        #expect(try EastAsianFixtures.answer(sentence, "zh-TW") == answer)
    }
}
