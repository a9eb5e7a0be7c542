import HomeModel
import Voice

extension FuzzTarget {
    /// Sentences in every language. The first byte selects the language.
    static let voice = FuzzTarget("voice", maximumLength: 256) { input throws(Violation) in
        guard let first = input.first else { return false }
        let listener = listeners[Int(first) % listeners.count]
        let text = String(decoding: input.dropFirst(), as: UTF8.self)
        let meaning = listener.interpret(text)
        try hold(meaning == listener.interpret(text), "a sentence means the same each time")
        guard case .requests(let requests) = meaning else { return false }
        let reply = SpokenReply(language: listener.language)
        for request in requests {
            guard case .write(let writes, _, let confirmation) = request else { continue }
            try hold(!writes.isEmpty, "a write writes something")
            for write in writes {
                guard let service = home.services.first(where: { $0.id == write.service }) else {
                    throw Violation(description: "only what the home has is written")
                }
                try hold(service.traits.contains(write.trait), "only what a service has is written")
                try hold(write.value.isFinite, "a value is a number")
                let opens =
                    write.trait == .lockTargetState && write.value == 0
                    || write.trait == .targetDoorState && write.value == 0
                try hold(!opens || confirmation != nil, "opening asks first")
            }
            if confirmation != nil {
                let question = reply.confirmation(of: request, in: home)
                try hold(question?.isEmpty == false, "what must be confirmed is asked")
            }
        }
        return true
    }

    private static let home = SpokenHome(
        name: "Home",
        rooms: [.init(id: "r1", name: "Kitchen"), .init(id: "r2", name: "Büro"), .init(id: "r3", name: "客厅")],
        zones: [.init(id: "z1", name: "Upstairs", rooms: ["r2"])],
        services: [
            service("s1", "Desk Lamp", .light, "r2", [.on: 0, .brightness: 40]),
            service("s2", "Lampe", .light, "r1", [.on: 1, .brightness: 40]),
            service("s3", "Front Door", .lock, "r1", [.lockTargetState: 1]),
            service("s4", "Garage", .garageDoor, nil, [.targetDoorState: 1]),
            service("s5", "空调", .thermostat, "r3", [.currentTemperature: 20, .targetTemperature: 21]),
        ],
        groups: [],
        scenes: [.init(id: "c1", name: "Movie Night"), .init(id: "c2", name: "おやすみ")]
    )

    private static func service(
        _ id: String,
        _ name: String,
        _ kind: ServiceKind,
        _ room: String?,
        _ values: [SpokenTrait: Double]
    ) -> SpokenHome.Service {
        SpokenHome.Service(id: id, name: name, kind: kind, room: room, values: values)
    }

    private static let listeners = Language.codes.compactMap(Language.named).map {
        HomeListener(home: home, language: $0)
    }
}
