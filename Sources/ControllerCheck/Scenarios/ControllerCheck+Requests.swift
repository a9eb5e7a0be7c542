import AccessoryCheck
import HAP
import HAPCatalog

extension ControllerCheck {
    /// What a controller's messages are like at a good bridge.
    static let messages: [ControllerCheck] = [
        ControllerCheck(
            "messages.host",
            .must,
            "Each request has one Host.",
            "RFC 9112, 3.2"
        ) { course in
            for exchange in course.exchanges where exchange.request.headers.values(of: "Host").count != 1 {
                throw CheckFailure("\(exchange.request.headers.values(of: "Host").count): \(exchange.line)")
            }
        },
        ControllerCheck(
            "messages.content-type",
            .must,
            "A body of JSON has the content type application/hap+json.",
            "HAP, HTTP"
        ) { course in
            let puts = try course.requests("sent no JSON") { $0.request.method == .put }
            for exchange in puts where exchange.request.headers["Content-Type"]?.lowercased() != HAPContentType.json {
                throw CheckFailure("\(exchange.request.headers["Content-Type"] ?? "None"): \(exchange.line)")
            }
        },
        ControllerCheck(
            "messages.one-at-a-time",
            .must,
            "A request isn't sent on a connection before the last one is answered.",
            "HAP, HTTP"
        ) { course in
            if let early = course.exchanges.first(where: \.isEarly) {
                throw CheckFailure("Together with the last request: \(early.line)")
            }
        },
        ControllerCheck(
            "frames.length",
            .must,
            "The content of a frame has 1 to 1024 bytes.",
            "HAP, Secure Session"
        ) { course in
            _ = try course.requests("sent no frame") { _ in true }
            if let length = course.connections.values.lazy.flatMap(\.wrongLengths).first {
                throw CheckFailure("\(length) bytes")
            }
        },
        ControllerCheck(
            "frames.counter",
            .security,
            "Each frame is encrypted with the session's key and the next counter.",
            "HAP, Secure Session"
        ) { course in
            for connection in course.connections.values where connection.wrongLengths.isEmpty {
                guard case .authenticationFailed? = connection.frameError else { continue }
                throw CheckFailure("A frame after \(connection.exchangesBeforeError) requests can't be opened")
            }
            _ = try course.requests("sent no frame")
        },
        ControllerCheck(
            "session.persistent",
            .should,
            "One session is used for many requests.",
            "RFC 9112, 9.3"
        ) { course in
            let requests = try course.requests("sent no request in a session")
            guard requests.count > 2 else { throw CheckNotApplicable("The controller sent only a few requests.") }
            let sessions = Set(requests.map(\.connection)).count
            guard requests.count >= 2 * sessions else {
                throw CheckFailure("\(sessions) sessions for \(requests.count) requests")
            }
        },
    ]

    /// What a controller reads and writes at a good bridge.
    static let characteristics: [ControllerCheck] = [
        ControllerCheck(
            "database.listed",
            .must,
            "A controller that has paired lists the accessories before it reads or writes.",
            "HAP, Attribute Database"
        ) { course in
            let requests = try course.requests("sent no request in a session") {
                $0.request.path == "/accessories" || $0.request.path == "/characteristics"
            }
            guard !course.wasPaired || requests[0].request.path == "/accessories" else {
                throw CheckNotApplicable("The controller was paired already.")
            }
            guard requests[0].request.path == "/accessories" else { throw CheckFailure(requests[0].line) }
        },
        ControllerCheck(
            "reads.readable",
            .must,
            "Only characteristics that exist and can be read are read.",
            "HAP, Reading Characteristics"
        ) { course in
            let reads = try course.requests("made no read") {
                $0.request.method == .get && $0.request.path == "/characteristics"
            }
            for read in reads where read.response?.status != .ok { throw CheckFailure(read.line) }
        },
        ControllerCheck(
            "writes.existing",
            .must,
            "Only characteristics that exist are written.",
            "HAP, Writing Characteristics"
        ) { try $0.expectNoStatus(.noSuchResource) },
        ControllerCheck(
            "writes.writable",
            .must,
            "Only characteristics with the permission pw are written.",
            "HAP, Writing Characteristics"
        ) { try $0.expectNoStatus(.readOnly) },
        ControllerCheck(
            "writes.value",
            .must,
            "A value has the characteristic's format and is within its bounds.",
            "HAP, Writing Characteristics"
        ) { course in
            try course.expectNoStatus(.invalidValue) { exchange in
                exchange.request.writeRequest.map { $0.pid == nil && !course.writesTimed($0) } ?? true
            }
        },
        ControllerCheck(
            "timed-writes.used",
            .must,
            "A characteristic with the permission tw is written with the PID of a preparation on the same connection.",
            "HAP, Timed Writes"
        ) { course in
            let writes = try course.requests("made no timed write") {
                $0.request.writeRequest.map { $0.pid != nil || course.writesTimed($0) } ?? false
            }
            for write in writes where write.response?.status != .noContent { throw CheckFailure(write.line) }
        },
        ControllerCheck(
            "timed-writes.fresh",
            .should,
            "Each preparation has another PID.",
            "HAP, Timed Writes"
        ) { course in
            let requests = try course.requests("prepared fewer than two writes") { $0.request.path == "/prepare" }
            let pids = requests.compactMap { try? PrepareRequest(decoding: $0.request.body).pid }
            guard pids.count > 1 else { throw CheckNotApplicable("The controller prepared fewer than two writes.") }
            guard Set(pids).count == pids.count else { throw CheckFailure("\(pids)") }
        },
        ControllerCheck(
            "events.supported",
            .must,
            "Only characteristics with the permission ev are subscribed to.",
            "HAP, Notifications"
        ) { try $0.expectNoStatus(.notificationNotSupported) },
        ControllerCheck(
            "events.batch",
            .should,
            "Subscriptions to several characteristics of a connection go in one request.",
            "HAP, Notifications"
        ) { course in
            let subscriptions = try course.requests("subscribed to nothing") { $0.request.subscribes }
            let entries = subscriptions.flatMap { $0.request.writeRequest?.entries ?? [] }.count { $0.events == true }
            guard entries > 2 else {
                throw CheckNotApplicable("The controller subscribed to fewer than three characteristics.")
            }
            guard subscriptions.count < entries else {
                throw CheckFailure("\(subscriptions.count) requests for \(entries) characteristics")
            }
        },
    ]
}

extension Course {
    /// The IDs of the characteristics that take only timed writes.
    private var timedIDs: Set<CharacteristicID> {
        for exchange in exchanges where exchange.isSecured && exchange.request.path == "/accessories" {
            guard let body = exchange.response?.body, let database = try? AttributeDatabase(decoding: body) else {
                continue
            }
            return database.timedIDs
        }
        return []
    }

    /// Returns whether a write has the value of a characteristic that takes only timed writes.
    func writesTimed(_ request: CharacteristicWriteRequest) -> Bool {
        let ids = timedIDs
        return request.entries.contains { $0.value != nil && ids.contains($0.id) }
    }

    /// Throws a failure if a write got a status.
    fileprivate func expectNoStatus(
        _ status: HAPStatus,
        where matches: (Exchange) -> Bool = { _ in true }
    ) throws {
        let writes = try requests("made no write") { $0.request.writeRequest != nil }
        for write in writes where matches(write) {
            guard let response = write.response, response.status == .multiStatus else { continue }
            if String(decoding: response.body, as: UTF8.self).contains("\(status.rawValue)") {
                throw CheckFailure("\(write.line): \(PrintableText.of(response.body.prefix(120)))")
            }
        }
    }
}

extension AttributeDatabase {
    /// The IDs of the characteristics that take only timed writes.
    var timedIDs: Set<CharacteristicID> {
        Set(
            accessories.flatMap { accessory in
                accessory.services.flatMap(\.characteristics).filter { $0.permissions.contains(.timedWrite) }
                    .map { CharacteristicID(aid: accessory.aid, iid: $0.iid) }
            }
        )
    }
}
