import Foundation

/// Sentences of each language, and homes in which they are said.
enum VoiceSentences {
    /// A sentence that is said in the kitchen.
    struct Line {
        var language: String
        var text: String

        /// The line of a file for `hearth say --homes`.
        func json(id: Int, home: Int) -> String {
            #"{"id":"\#(id)","lang":"\#(language)","text":"\#(text)","home":"\#(home)","context":{"room":"r0"}}"#
        }
    }

    static let languages = ["en", "de", "fr", "es", "ru", "zh-CN", "zh-TW", "ja"]

    static let all = zip(languages, texts).flatMap { language, texts in
        texts.map { Line(language: language, text: $0) }
    }

    private static let texts = [
        [
            "could you please turn off all the lights in the kitchen", "set lamp 5 to forty percent",
            "is lock 3 locked",
            "which lights are on", "close the blinds and turn off plug 11", "what is the weather like tomorrow",
        ],
        [
            "mach bitte alle Lichter in der Kitchen aus", "dimme Lamp 5 auf vierzig Prozent",
            "ist Lock 3 abgeschlossen",
            "welche Lichter brennen noch", "Rollläden runter und Plug 11 ausschalten", "wie wird das Wetter morgen",
        ],
        [
            "éteins toutes les lumières de la Kitchen s'il te plaît", "mets Lamp 5 à quarante pour cent",
            "est-ce que Lock 3 est verrouillé", "quelles lumières sont allumées", "ferme les volets et éteins Plug 11",
            "quel temps fera-t-il demain",
        ],
        [
            "apaga por favor todas las luces de la Kitchen", "pon Lamp 5 al cuarenta por ciento",
            "¿está cerrado Lock 3?",
            "¿qué luces están encendidas?", "baja las persianas y apaga Plug 11", "¿qué tiempo hará mañana?",
        ],
        [
            "выключи пожалуйста весь свет в Kitchen", "поставь Lamp 5 на сорок процентов", "Lock 3 заперт?",
            "какие лампы горят", "опусти жалюзи и выключи Plug 11", "какая завтра будет погода",
        ],
        [
            "请把Kitchen的灯都关掉", "把Lamp 5调到百分之四十", "Lock 3锁了吗", "哪些灯还亮着", "关上百叶窗然后关掉Plug 11", "明天天气怎么样",
        ],
        [
            "請把Kitchen的燈都關掉", "把Lamp 5調到百分之四十", "Lock 3鎖了嗎", "哪些燈還亮著", "關上百葉窗然後關掉Plug 11", "明天天氣如何",
        ],
        [
            "Kitchenの電気を全部消してください", "Lamp 5を40パーセントにして", "Lock 3は閉まっていますか", "どの電気がついている",
            "ブラインドを閉めてPlug 11を消して", "明日の天気は",
        ],
    ]

    private static let services = [
        ("Lamp", "Lightbulb", #""On":true,"Brightness":40"#), ("Plug", "Outlet", #""On":false"#),
        ("Blind", "WindowCovering", #""TargetPosition":0,"CurrentPosition":0"#),
        ("Lock", "LockMechanism", #""LockTargetState":1,"LockCurrentState":1"#),
        ("Sensor", "TemperatureSensor", #""CurrentTemperature":20"#),
    ]

    /// The line of a home with as many accessories, ten in a room. Its ID is the number.
    static func home(of size: Int) -> String {
        let count = max(1, size / 10)
        let rooms = (0..<count).map { #"{"id":"r\#($0)","name":"\#($0 == 0 ? "Kitchen" : "Room \($0)")"}"# }
        let services = (0..<size).map { number in
            let (name, type, values) = Self.services[number % Self.services.count]
            return #"{"id":"s\#(number)","name":"\#(name) \#(number)","type":"\#(type)","room":"r\#(number % count)","#
                + #""characteristics":{\#(values)}}"#
        }
        return #"{"id":"\#(size)","name":"Home","rooms":[\#(rooms.joined(separator: ","))],"#
            + #""services":[\#(services.joined(separator: ","))]}"#
    }
}
