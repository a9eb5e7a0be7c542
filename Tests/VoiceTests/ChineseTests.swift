import Testing

@testable import Voice

@Suite struct ChineseTests {
    @Test(arguments: [
        ("请帮我把客厅的灯打开一下", "l1 On 1, l2 On 1"),
        ("厨房的灯全关了", "k1 On 0, k2 On 0"),
        ("能不能把卧室的灯关掉", "b1 On 0"),
        ("把所有灯都关了吧", "b1 On 0, e1 On 0, k1 On 0, k2 On 0, l1 On 0, l2 On 0, s1 On 0"),
        ("打开咖啡机和厨房灯", "k1 On 1, p1 On 1"),
        ("客厅卧室的灯都打开", "b1 On 1, l1 On 1, l2 On 1"),
        ("关掉卧室和厨房以外的灯", "e1 On 0, l1 On 0, l2 On 0, s1 On 0"),
        ("除厨房灯外都关掉", "b1 On 0, e1 On 0, k2 On 0, l1 On 0, l2 On 0, s1 On 0"),
        ("关掉所有开着的灯", "k2 On 0, l1 On 0"),
        ("楼上所有的灯都关掉", "b1 On 0, s1 On 0"),
        ("麻烦开下灯谢谢", "l1 On 1, l2 On 1"),
        ("锁上所有的门", "d1 LockTargetState 1, d2 LockTargetState 1"),
        ("把窗帘拉上", "c1 TargetPosition 0"),
        ("卧室窗帘升起来", "c2 TargetPosition 100"),
        ("关上水阀", "v1 Active 0"),
        ("我要睡觉了关灯", "l1 On 0, l2 On 0"),
    ])
    func wordsWithoutSpacesParticlesAndAreUnderstood(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh") == meaning)
    }

    @Test(arguments: [
        ("把落地灯调到百分之三十五", "l1 Brightness 35"),
        ("灯光调暗点", "l1 Brightness 25, l2 Brightness 25"),
        ("把书房亮度调高百分之十", "s1 Brightness 60, s1 On 1"),
        ("落地灯亮度增加20", "l1 Brightness 70"),
        ("落地灯调成红色", "l1 Hue 0, l1 Saturation 100"),
        ("落地灯换成暖白光", "l1 ColorTemperature 370"),
        ("落地灯色温两千七百开", "l1 ColorTemperature 370"),
        ("落地灯绿色百分之四十", "l1 Brightness 40, l1 Hue 120, l1 Saturation 100"),
        ("把空调调到二十六度", "t1 TargetTemperature 26"),
        ("温度设为二十二点五度", "t1 TargetTemperature 22.5"),
        ("空调设为华氏七十七度", "t1 TargetTemperature 25"),
        ("空调降两度", "t1 TargetTemperature 18"),
        ("有点冷", "t1 TargetTemperature 21"),
        ("温度太高了", "t1 TargetTemperature 19"),
        ("太亮了", "l1 Brightness 25, l2 Brightness 25"),
        ("屋里好黑", "l1 On 1, l2 On 1"),
        ("太热了开空调", "t1 TargetHeatingCoolingState 1"),
        ("吊扇风速调到三档", "f1 Active 1, f1 RotationSpeed 75"),
        ("窗帘打开一半", "c1 TargetPosition 50"),
        ("卧室窗帘打开一点", "c2 TargetPosition 10"),
        ("水晶灯亮度最大", "l2 Brightness 100, l2 On 1"),
    ])
    func valuesAreInNumeralsOfEitherKind(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh") == meaning)
    }

    @Test(arguments: [
        ("十分钟后关掉落地灯", "l1 On 0 after 600"),
        ("一个半小时后关掉咖啡机", "p1 On 0 after 5400"),
        ("两个半小时后关掉咖啡机", "p1 On 0 after 9000"), ("三刻钟后关掉咖啡机", "p1 On 0 after 2700"),
        ("过五分钟把空调关了", "t1 TargetHeatingCoolingState 0 after 300"),
        ("晚上十点半关掉落地灯", "l1 On 0 at 22:30"),
        ("早上7:30打开咖啡机", "p1 On 1 at 7:30"),
        ("七点三十分打开咖啡机", "p1 On 1 at 7:30"),
        ("下午三点一刻关闭咖啡机", "p1 On 0 at 15:15"),
        ("22点15分关闭空调", "t1 TargetHeatingCoolingState 0 at 22:15"),
        ("一点打开咖啡机", "p1 On 1 at 1:00"),
        ("中午一点打开咖啡机", "p1 On 1 at 13:00"),
        ("晚上十二点半关掉落地灯", "l1 On 0 at 0:30"),
    ])
    func timesAreSaidInTheChineseWay(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh") == meaning)
    }

    @Test(arguments: [
        ("灯关了吗", "l1 l2: no"),
        ("前门锁了没有", "d1: yes"),
        ("哪些门没锁", "d1 d2: d2"),
        ("哪扇门开着", "d1 d2: d2"),
        ("楼上有几盏灯开着", "b1 s1: 0"),
        ("有灯没关吗", "l1 l2: yes"),
        ("车库门是不是开着", "g1: no"),
        ("窗户关好了没", "w1: yes"),
        ("玄关有动静吗", "m1: yes"),
        ("书房有没有人", "o1: no"),
        ("客厅多少度", "read t1 CurrentTemperature"),
        ("空调设定的温度是多少", "read t1 TargetTemperature"),
        ("落地灯亮度是多少", "read l1 Brightness"),
        ("所有门都锁好了吗", "d1 d2: no"),
    ])
    func questionsAreAskedWithOrAQuestionWord(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh") == meaning)
    }

    @Test(arguments: [
        ("把客厅的灯关掉然后打开空调", "l1 On 0, l2 On 0, t1 TargetHeatingCoolingState 1"),
        ("把灯关掉把窗帘打开", "c1 TargetPosition 100, l1 On 0, l2 On 0"),
        ("打开落地灯并调到百分之三十", "l1 Brightness 30"),
        ("关掉空调和风扇", "f1 Active 0, t1 TargetHeatingCoolingState 0"),
        ("打开空调和卧室窗户", "t1 TargetHeatingCoolingState 1, w1 TargetPosition 100"),
        ("晚安", "run night"),
        ("切换到观影模式", "run movie"),
    ])
    func twoCommandsAndScenesAreUnderstood(sentence: String, meaning: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh") == meaning)
    }

    @Test func anHourThatMayBeMorningOrEveningIsTheNextOne() throws {
        #expect(try EastAsianFixtures.meaning("七点打开咖啡机", "zh", now: 15 * 60) == "p1 On 1 at 19:00")
        #expect(try EastAsianFixtures.meaning("早上七点打开咖啡机", "zh", now: 15 * 60) == "p1 On 1 at 7:00")
    }

    @Test(arguments: [
        "打开前门", "把前门打开", "解锁后门", "打开前门的锁", "打开车库门", "打开总水阀",
    ])
    func openingAndUnlockingAsks(sentence: String) throws {
        guard case .requests(let requests) = try EastAsianFixtures.interpret(sentence, "zh"),
            case .write(let writes, _, .opens) = requests.first
        else {
            Issue.record("\(sentence) was not understood, or nobody was asked")
            return
        }
        #expect(writes.count == 1)
    }

    @Test(arguments: [
        "打开前们", "解锁大前门", "打开门前", "打开车库们", "开总水法",
    ])
    func aGuessNeverReachesALockOrADoor(sentence: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh") == "nothing")
    }

    @Test(arguments: [
        "今天天气怎么样", "明天会下雨吗", "外面冷不冷", "放一首周杰伦的歌", "播放音乐", "下一首", "声音大一点", "给妈妈打电话",
        "给小明发微信说我晚点到", "提醒我下午三点开会", "设一个七点的闹钟", "十分钟后叫我", "定时十分钟", "讲个笑话", "唱首歌", "你是谁",
        "你叫什么名字", "几点了", "今天星期几", "现在几点", "打开微信", "打开地图", "导航到公司", "附近有什么好吃的", "股票行情怎么样",
        "帮我订一张机票", "把这封邮件发出去", "明天有什么安排", "电影里的灯很漂亮", "昨天我关了灯", "我喜欢红色", "红色和蓝色混在一起是什么颜色",
        "光速是多少", "太阳有多热", "火星上的温度是多少", "水的沸点是多少度", "一百华氏度等于多少摄氏度", "三加五等于几", "帮我翻译一下门锁用英语怎么说",
        "灯用日语怎么说", "窗户是谁发明的", "空调多少钱", "买一个台灯", "这盏灯真好看", "我家的门很大", "他已经关灯睡觉了", "为什么空调这么贵",
        "我想换一个新的窗帘", "门口有个快递", "关于车库门的新闻", "打开第三章", "打开收音机", "关闭订单", "锁屏", "解锁手机", "打开手电筒",
        "把手机静音", "电视上在演什么", "把书打开", "开车去上班", "开会", "关心一下我", "好的谢谢", "没事了", "算了", "你好", "我回来了",
        "好热闹", "有点意思", "太好了", "一点", "打开", "关", "调一下", "不要开灯", "别把门打开", "把灯关掉十分钟", "如果天黑就打开灯",
        "灯打开又关上",
    ])
    func whatIsNoCommandDoesNothing(sentence: String) throws {
        #expect(try EastAsianFixtures.meaning(sentence, "zh") == "nothing")
    }

    @Test(arguments: [
        ("打开落地灯", "落地灯已打开。"),
        ("关掉客厅的灯", "落地灯和水晶灯已关闭。"),
        ("把空调调到22.5度", "空调：22.5°C。"),
        ("解锁后门", "要解锁后门吗？"),
        ("解锁门", "您指的是哪一个：前门还是后门？"),
        ("灯关了吗", "不是。落地灯已打开。水晶灯已关闭。"),
        ("打开粒子加速器", "我不明白“粒子 器”。"),
    ])
    func answersAreInWords(sentence: String, answer: String) throws {
        #expect(try EastAsianFixtures.answer(sentence, "zh") == answer)
    }
}
