import HomeModel
import Testing

@testable import Voice

/// The same home with names in Chinese and Japanese.
enum EastAsianFixtures {
    static let chinese = home(
        rooms: ["客厅", "厨房", "卧室", "书房", "玄关", "车库"],
        zones: ["楼上", "楼下"],
        services: [
            "落地灯", "水晶灯", "厨房灯", "台面灯", "床头灯", "书房台灯", "玄关灯", "吊扇", "咖啡机", "前门", "后门", "车库门", "空调", "客厅窗帘", "卧室窗帘",
            "卧室窗户",
            "总水阀", "移动传感器", "书房传感器", "室外温度",
        ],
        scenes: ["观影模式", "晚安"]
    )

    static let taiwanese = home(
        rooms: ["客廳", "廚房", "臥室", "書房", "玄關", "車庫"],
        zones: ["二樓", "一樓"],
        services: [
            "立燈", "水晶燈", "廚房燈", "檯面燈", "床頭燈", "書房檯燈", "玄關燈", "吊扇", "咖啡機", "前門", "後門", "車庫門", "冷氣", "客廳窗簾", "臥室窗簾",
            "臥室窗戶",
            "總水閥", "移動感測器", "書房感測器", "室外溫度",
        ],
        scenes: ["電影模式", "晚安"]
    )

    static let japanese = home(
        rooms: ["リビング", "キッチン", "寝室", "書斎", "玄関", "ガレージ"],
        zones: ["2階", "1階"],
        services: [
            "フロアランプ", "シャンデリア", "キッチンライト", "カウンター照明", "ベッドサイドランプ", "デスクライト", "玄関灯", "天井ファン", "コーヒーメーカー", "玄関ドア", "勝手口",
            "ガレージドア", "エアコン", "リビングのカーテン", "寝室のカーテン", "寝室の窓", "元栓", "人感センサー", "書斎センサー", "外の温度",
        ],
        scenes: ["映画モード", "おやすみ"]
    )

    private static let roomIDs = ["living", "kitchen", "bedroom", "study", "entrance", "garage"]

    private static let blueprint: [(id: String, kind: ServiceKind, room: String, values: [SpokenTrait: Double])] = [
        ("l1", .light, "living", light(1)), ("l2", .light, "living", light(0)), ("k1", .light, "kitchen", light(0)),
        ("k2", .light, "kitchen", light(1)), ("b1", .light, "bedroom", light(0)), ("s1", .light, "study", light(0)),
        ("e1", .light, "entrance", light(0)), ("f1", .fan, "bedroom", [.active: 0, .rotationSpeed: 40]),
        ("p1", .outlet, "kitchen", [.on: 0]), ("d1", .lock, "entrance", [.lockTargetState: 1, .lockCurrentState: 1]),
        ("d2", .lock, "kitchen", [.lockTargetState: 0, .lockCurrentState: 0]),
        ("g1", .garageDoor, "garage", [.targetDoorState: 1, .currentDoorState: 1]),
        (
            "t1", .thermostat, "living",
            [
                .targetTemperature: 20, .currentTemperature: 21, .targetHeatingCoolingState: 1,
                .currentHeatingCoolingState: 1,
            ]
        ), ("c1", .blinds, "living", [.targetPosition: 100, .currentPosition: 100]),
        ("c2", .blinds, "bedroom", [.targetPosition: 0, .currentPosition: 0]),
        ("w1", .window, "bedroom", [.targetPosition: 0, .currentPosition: 0]),
        ("v1", .valve, "garage", [.active: 0, .inUse: 0]), ("m1", .motionSensor, "entrance", [.motion: 1]),
        ("o1", .presenceSensor, "study", [.occupancy: 0]),
        ("x1", .temperatureSensor, "entrance", [.currentTemperature: 8]),
    ]

    private static func light(_ on: Double) -> [SpokenTrait: Double] {
        [.on: on, .brightness: 50, .hue: 40, .saturation: 30, .colorTemperature: 300]
    }

    private static func home(rooms: [String], zones: [String], services: [String], scenes: [String]) -> SpokenHome {
        SpokenHome(
            name: "Home",
            rooms: zip(roomIDs, rooms).map { SpokenHome.Room(id: $0, name: $1) },
            zones: [
                SpokenHome.Zone(id: "up", name: zones[0], rooms: ["bedroom", "study"]),
                SpokenHome.Zone(id: "down", name: zones[1], rooms: ["living", "kitchen", "entrance"]),
            ],
            services: zip(blueprint, services).map { plan, name in
                Fixtures.service(plan.id, name, plan.kind, plan.room, plan.values)
            },
            scenes: zip(["movie", "night"], scenes).map { SpokenHome.Scene(id: $0, name: $1) }
        )
    }

    private static func home(_ code: String) -> SpokenHome {
        code == "zh" ? chinese : code == "zh-TW" ? taiwanese : japanese
    }

    static func interpret(_ sentence: String, _ code: String, now: Int? = nil) throws -> Interpretation {
        try Fixtures.listener(code, home: home(code)).interpret(sentence, room: "living", now: now)
    }

    /// What a sentence does, in one line: writes, scenes, reads with their answer, or nothing.
    static func meaning(_ sentence: String, _ code: String, now: Int? = nil) throws -> String {
        guard case .requests(let requests) = try interpret(sentence, code, now: now) else { return "nothing" }
        return requests.map { request in
            switch request {
            case .write(let writes, let time, _):
                let values = writes.map { "\($0.service) \($0.trait.rawValue) \(text($0.value))" }.sorted()
                return values.joined(separator: ", ") + suffix(time)
            case .run(let scenes, let time): return "run " + scenes.joined(separator: ", ") + suffix(time)
            case .read(let reads, let answer):
                let names = reads.map(\.service).joined(separator: " ")
                return switch answer {
                case nil: "read \(reads.map { "\($0.service) \($0.trait.rawValue)" }.joined(separator: ", "))"
                case .yesNo(let isTrue): "\(names): \(isTrue ? "yes" : "no")"
                case .count(let count): "\(names): \(count)"
                case .services(let services): "\(names): \(services.joined(separator: " "))"
                }
            }
        }
        .joined(separator: "; ")
    }

    /// The answer in words, or the question back.
    static func answer(_ sentence: String, _ code: String) throws -> String {
        let language = try #require(Language.named(code))
        let reply = SpokenReply(language: language)
        switch try interpret(sentence, code) {
        case .requests(let requests):
            if let question = requests.compactMap({ reply.confirmation(of: $0, in: home(code)) }).first {
                return question
            }
            return requests.map { reply.text(for: $0, in: home(code)) }.joined()
        case .question(let question): return reply.question(question, in: home(code))
        case .nothing(let misunderstanding): return reply.misunderstanding(misunderstanding)
        }
    }

    private static func text(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }

    private static func suffix(_ time: SpokenTime?) -> String {
        switch time {
        case .at(let hour, let minute, _): " at \(hour):\(minute < 10 ? "0" : "")\(minute)"
        case .after(let seconds): " after \(seconds)"
        case nil: ""
        }
    }
}
