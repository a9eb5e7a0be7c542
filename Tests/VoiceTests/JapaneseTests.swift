import Testing

@testable import Voice

@Suite struct JapaneseTests {
    @Test(arguments: [
        ("リビングの電気をつけてください", "l1 On 1, l2 On 1"),
        ("ﾘﾋﾞﾝｸﾞの電気を消して", "l1 On 0, l2 On 0"), ("全部消して", "b1 On 0, e1 On 0, k1 On 0, k2 On 0, l1 On 0, l2 On 0, s1 On 0"),
        ("戸締まりして", "d1 LockTargetState 1, d2 LockTargetState 1"),
        ("でんき消して", "l1 On 0, l2 On 0"),
        ("シャンデリアを点けて", "l2 On 1"),
        ("シャンデリア付けといて", "l2 On 1"),
        ("キッチンの明かりを消してもらえますか", "k1 On 0, k2 On 0"),
        ("家中の電気を全部消して", "b1 On 0, e1 On 0, k1 On 0, k2 On 0, l1 On 0, l2 On 0, s1 On 0"),
        ("二階の照明を消したい", "b1 On 0, s1 On 0"),
        ("リビングと寝室の電気を消して", "b1 On 0, l1 On 0, l2 On 0"),
        ("寝室とキッチン以外の電気を全部消して", "e1 On 0, l1 On 0, l2 On 0, s1 On 0"),
        ("ついている電気を全部消して", "k2 On 0, l1 On 0"),
        ("消灯して", "l1 On 0, l2 On 0"),
        ("玄関の鍵を閉めて", "d1 LockTargetState 1"),
        ("すべてのドアを施錠して", "d1 LockTargetState 1, d2 LockTargetState 1"),
        ("カーテンを閉めて", "c1 TargetPosition 0"),
        ("元栓を閉めて", "v1 Active 0"),
        ("コーヒーメーカーの電源を入れて", "p1 On 1"),
        ("暗いから電気をつけて", "l1 On 1, l2 On 1"),
        ("電気をつけてくれませんか", "l1 On 1, l2 On 1"),
    ])
    func verbsAreUnderstoodInEveryFormOfAsking(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "ja") == meaning)
    }

    @Test(arguments: [
        ("フロアランプの明るさを三十五パーセントに下げて", "l1 Brightness 35"),
        ("フロアランプを２０％明るくして", "l1 Brightness 70"),
        ("もう少し明るくして", "l1 Brightness 60, l2 Brightness 60, l2 On 1"),
        ("フロアランプを半分にして", "l1 Brightness 50"),
        ("フロアランプを赤くして", "l1 Hue 0, l1 Saturation 100"),
        ("フロアランプを電球色に変えて", "l1 ColorTemperature 370"),
        ("フロアランプを4000Kにして", "l1 ColorTemperature 250"),
        ("エアコンを26度にして", "t1 TargetTemperature 26"),
        ("設定温度を二十三度に下げて", "t1 TargetTemperature 23"),
        ("エアコンの温度を2度上げて", "t1 TargetTemperature 22"),
        ("寒いです", "t1 TargetTemperature 21"),
        ("暑すぎる", "t1 TargetTemperature 19"),
        ("部屋が暗い", "l1 On 1, l2 On 1"),
        ("まぶしい", "l1 Brightness 25, l2 Brightness 25"),
        ("扇風機の風量を強にして", "f1 Active 1, f1 RotationSpeed 75"),
        ("寝室のカーテンを半分開けて", "c2 TargetPosition 50"),
        ("寝室のカーテンを少し開けて", "c2 TargetPosition 10"),
    ])
    func valuesAndWishesAreUnderstood(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "ja") == meaning)
    }

    @Test(arguments: [
        ("10分後にフロアランプを消して", "l1 On 0 after 600"),
        ("1時間半後にエアコンを止めて", "t1 TargetHeatingCoolingState 0 after 5400"),
        ("午後7時半にフロアランプをつけて", "l1 On 1 at 19:30"),
        ("朝7時にコーヒーメーカーをオンにして", "p1 On 1 at 7:00"),
        ("22時30分にフロアランプを消して", "l1 On 0 at 22:30"),
        ("夜の九時にフロアランプを消して", "l1 On 0 at 21:00"),
        ("19:30にフロアランプをつけて", "l1 On 1 at 19:30"),
        ("八時十五分にコーヒーメーカーをつけて", "p1 On 1 at 8:15"),
    ])
    func timesAreSaidInTheJapaneseWay(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "ja") == meaning)
    }

    @Test(arguments: [
        ("電気はついていますか", "l1 l2: yes"),
        ("キッチンの電気は消えてる？", "k1 k2: no"),
        ("玄関の鍵はかかっていますか", "d1: yes"),
        ("ガレージドア開いてる", "g1: no"),
        ("どの電気がついていますか", "l1 l2 k1 k2 b1 s1 e1: l1 k2"),
        ("ついている電気はいくつありますか", "l1 l2 k1 k2 b1 s1 e1: 2"),
        ("窓は全部閉まっていますか", "w1: yes"),
        ("書斎に誰かいますか", "o1: no"),
        ("今何度", "read t1 CurrentTemperature"),
        ("エアコンの設定温度は何度ですか", "read t1 TargetTemperature"),
        ("フロアランプの明るさはどれくらい", "read l1 Brightness"),
        ("開いている窓はありますか", "w1: no"),
    ])
    func questionsAreUnderstoodWithAndWithout(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "ja") == meaning)
    }

    @Test(arguments: [
        ("電気を消してカーテンを閉めて", "c1 TargetPosition 0, l1 On 0, l2 On 0"),
        ("フロアランプをつけて明るさを30%にして", "l1 Brightness 30"),
        ("エアコンを消して窓を開けて", "t1 TargetHeatingCoolingState 0, w1 TargetPosition 100"),
        ("おやすみ", "run night"),
        ("映画モードにして", "run movie"),
    ])
    func aSecondCommandBeginsAfterAVerb(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "ja") == meaning)
    }

    @Test(arguments: [
        "玄関ドアを解錠して", "玄関ドアの鍵を開けて", "勝手口を開けて", "ガレージドアを開けてください", "元栓を開けて",
    ])
    func openingAndUnlockingAsks(sentence: String) throws {
        guard case .requests(let requests) = try EastAsianFixtures.interpret(sentence, "ja"),
            case .write(let writes, _, .opens) = requests.first
        else {
            Issue.record("\(sentence) was not understood, or nobody was asked")
            return
        }
        #expect(writes.count == 1)
    }

    @Test(arguments: [
        "玄関ドラを解錠して", "ガレージドレを開けて", "正面ドアの鍵を開けて", "元線を開けて",
    ])
    func aGuessNeverReachesALockOrADoor(sentence: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "ja") == "nothing")
    }

    @Test(arguments: [
        "今日の天気は", "明日は雨が降りますか", "音楽をかけて", "次の曲を流して", "音楽を止めて", "お母さんに電話をかけて", "メールを読んで",
        "7時にアラームをセットして", "アラームを消して", "タイマーを10分にセットして", "3分のタイマーをかけて", "10分後に起こして", "ジョークを言って",
        "今何時", "今日は何曜日", "あなたは誰", "名前を教えて", "ニュースを教えて", "株価を教えて", "近くのレストランを教えて",
        "駅までの行き方を教えて", "電気を消すのを忘れた", "昨日電気をつけて寝た", "映画の中のランプはきれいだった", "電気代はいくら", "電気の歴史を教えて",
        "エアコンの値段はいくら", "カーテンを買いたい", "このライトはきれいだね", "赤が好き", "赤と青を混ぜると何色", "太陽の温度は何度",
        "水は何度で沸騰しますか", "富士山の高さは", "3足す5は", "100を2で割って", "ドアは英語で何と言いますか", "鍵をなくした", "鍵はどこ",
        "玄関に荷物が届いた", "窓際の席を予約して", "テレビで何をやっている", "スマホをロックして", "画面を明るくして", "アプリを開いて", "地図を開いて",
        "写真を消して", "予定を消して", "本を閉じて", "ありがとう", "おはよう", "こんにちは", "お腹がすいた", "眠い", "疲れた", "なんでもない",
        "キャンセル", "電気をつけたら消して", "雨なら窓を閉めて", "電気をつけてはいけない", "つけて", "消して", "して", "ライトノベルを読んで",
        "ファンレターを送って", "キーボードを買って", "電気をつけないで", "鍵を開けないで", "電気をつけるな", "電気を10分間つけて",
    ])
    func whatIsNoCommandDoesNothing(sentence: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "ja") == "nothing")
    }

    @Test(arguments: [
        ("シャンデリアをつけて", "シャンデリアはオンです。"),
        ("リビングの電気を消して", "フロアランプとシャンデリアはオフです。"),
        ("玄関ドアを解錠して", "玄関ドアを解錠しますか？"),
        ("エアコンは何度ですか", "エアコン：21°C。"),
    ])
    func answersAreInWords(sentence: String, answer: String) throws {
        #expect(try EastAsianFixtures.answer(sentence, "ja") == answer)
    }
}
