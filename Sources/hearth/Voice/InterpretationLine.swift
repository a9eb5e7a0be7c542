import Voice

/// What a sentence means, as one line of JSON. Keys that don't apply are left out.
struct InterpretationLine: Encodable {
    struct Write: Encodable {
        var service: String
        var characteristic: String
        var value: Value
    }

    struct Read: Encodable {
        var service: String
        var characteristic: String
    }

    enum Value: Encodable {
        case bool(Bool)
        case number(Double)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            }
        }
    }

    enum Answer: Encodable {
        case yesNo(Bool)
        case count(Int)
        case services([String])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .yesNo(let value): try container.encode(value)
            case .count(let value): try container.encode(value)
            case .services(let value): try container.encode(value)
            }
        }
    }

    struct Time: Encodable {
        var at: String?
        var `in`: Int?

        init(_ time: SpokenTime) {
            switch time {
            case .at(let hour, let minute, _):
                at = (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
            case .after(let seconds): `in` = seconds
            }
        }
    }

    var id: String
    var intent = "none"
    var writes: [Write]?
    var reads: [Read]?
    var answer: Answer?
    var scenes: [String]?
    var when: Time?
    /// Whether somebody must agree before it is done.
    var confirm: Bool?
    /// Why nothing is done.
    var reason: String?
    var ms: Double

    init(id: String, _ interpretation: Interpretation, ms: Double) {
        self.id = id
        self.ms = ms
        switch interpretation {
        case .requests(let requests): requests.forEach { add($0) }
        case .question(let question): reason = "\(question)"
        case .nothing(let misunderstanding): reason = "\(misunderstanding)"
        }
    }

    private mutating func add(_ request: Request) {
        switch request {
        case .write(let more, let time, let confirmation):
            intent = time == nil ? "write" : "schedule"
            when = time.map(Time.init)
            if confirmation != nil { confirm = true }
            writes =
                (writes ?? [])
                + more.map { write in
                    Write(
                        service: write.service,
                        characteristic: write.trait.rawValue,
                        value: write.trait == .on || write.trait == .mute
                            ? .bool(write.value != 0) : .number(write.value)
                    )
                }
        case .run(let more, let time):
            intent = time == nil ? "scene" : "schedule"
            when = time.map(Time.init)
            scenes = (scenes ?? []) + more
        case .read(let more, let found):
            intent = "read"
            reads = (reads ?? []) + more.map { Read(service: $0.service, characteristic: $0.trait.rawValue) }
            switch found {
            case .yesNo(let value): answer = .yesNo(value)
            case .count(let value): answer = .count(value)
            case .services(let value): answer = .services(value)
            case nil: break
            }
        }
    }
}
