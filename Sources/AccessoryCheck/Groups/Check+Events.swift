internal import HAP
internal import HAPCatalog

extension CheckContext {
    /// Subscribes a connection to a characteristic.
    func subscribe(_ subject: CheckSubject, _ connection: ControllerConnection, to isOn: Bool = true) async throws {
        let response = try await write([(subject.id, #""ev":\#(isOn)"#)], on: connection)
        try expect(response.status == .noContent, "Writing ev=\(isOn): \(describe(response))")
    }

    /// Two sessions, the first subscribed to the subject.
    func listener(_ subject: CheckSubject) async throws -> (
        listener: ControllerConnection, writer: ControllerConnection
    ) {
        let (listener, writer) = (try await newSession(), try await newSession())
        try await willChange(subject, on: writer)
        try await subscribe(subject, listener)
        return (listener, writer)
    }

    /// Waits for an event.
    func event(on connection: ControllerConnection, _ what: String) async throws -> EventMessage {
        do {
            switch try await connection.next() {
            case .event(let event)?: return event
            case .response(let response)?: throw CheckFailure("\(what): a response came: \(describe(response))")
            case nil: throw CheckFailure("\(what): the accessory closed the connection")
            }
        } catch is ControllerConnection.Silence {
            throw CheckFailure("\(what): no event came")
        }
    }

    /// Throws if an event about a characteristic comes.
    func expectNoEvent(of subject: CheckSubject, on connection: ControllerConnection, _ what: String) async throws {
        for event in try await events(on: connection) {
            let text = String(decoding: event.body, as: UTF8.self)
            throw CheckFailure("\(what): \(PrintableText.excerpt(text))")
        }
    }
}

extension Check {
    private static let source = "HAP 6.8 (Notifications)"

    static let events: [Check] = [
        Check(
            "events.subscribe",
            .must,
            .paired,
            "Writing ev to a characteristic with ev returns HTTP 204.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            try await context.subscribe(subject, connection)
            try await context.subscribe(subject, connection)
            try await context.subscribe(subject, connection, to: false)
        },
        Check(
            "events.unsupported",
            .must,
            .paired,
            "Writing ev to a characteristic without ev returns HTTP 207 with the status -70406.",
            source
        ) { context in
            let model = try await context.database().first(
                HAPType.Characteristic.model,
                in: HAPType.Service.accessoryInformation
            )
            guard let model, !model.allows("ev") else { throw CheckNotApplicable("The model has ev.") }
            let response = try await context.write([(model.id, #""ev":true"#)], on: context.newSession())
            try context.expectStatuses(response, [model.id: .notificationNotSupported], "Writing ev to the model")
        },
        Check(
            "events.missing",
            .must,
            .paired,
            "Writing ev to a missing characteristic returns HTTP 207 with the status -70409.",
            source
        ) { context in
            let id = try await context.missingID()
            let response = try await context.write([(id, #""ev":true"#)], on: context.newSession())
            try context.expectStatuses(response, [id: .noSuchResource], "Writing ev to \(id)")
        },
        Check(
            "events.delivery",
            .must,
            .paired,
            "A subscribed connection gets an event with the new value when another connection writes it.",
            source
        ) { context in
            let subject = try await context.subject()
            let (listener, writer) = try await context.listener(subject)
            let value = try await context.change(subject, on: writer)
            let event = try await context.event(on: listener, "After another connection's write")
            let body = try? JSONValue(parsing: event.body)
            let entry = body?.object?["characteristics"]?.array?.compactMap(\.object).first {
                $0["aid"]?.unsignedInteger == subject.id.aid && $0["iid"]?.unsignedInteger == subject.id.iid
            }
            try context.expect(
                CheckSubject.isSame(value, entry?["value"]),
                "The event is \(PrintableText.excerpt(String(decoding: event.body, as: UTF8.self)))"
            )
        },
        Check(
            "events.format",
            .must,
            .paired,
            "An event is EVENT/1.0 200 with the content type application/hap+json.",
            source
        ) { context in
            let subject = try await context.subject()
            let (listener, writer) = try await context.listener(subject)
            try await context.change(subject, on: writer)
            let event = try await context.event(on: listener, "After another connection's write")
            try context.expect(event.status == .ok, "The event has the status \(event.status.rawValue).")
            let type = event.headers["Content-Type"]?.lowercased() ?? "(none)"
            try context.expect(
                type.hasPrefix(HAPContentType.json),
                "Content-Type: \(PrintableText.excerpt(type))"
            )
        },
        Check(
            "events.writer",
            .must,
            .paired,
            "The connection that writes gets no event of its own write.",
            source
        ) { context in
            let subject = try await context.subject()
            let (_, writer) = try await context.listener(subject)
            try await context.subscribe(subject, writer)
            try await context.change(subject, on: writer)
            try await context.expectNoEvent(of: subject, on: writer, "An event to the writer")
        },
        Check(
            "events.on-subscribing",
            .must,
            .paired,
            "Subscribing sends no event.",
            source
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            try await context.subscribe(subject, connection)
            try await context.expectNoEvent(of: subject, on: connection, "An event on subscribing")
        },
        Check(
            "events.unsubscribe",
            .must,
            .paired,
            "After unsubscribing, a connection gets no events.",
            source
        ) { context in
            let subject = try await context.subject()
            let (listener, writer) = try await context.listener(subject)
            try await context.subscribe(subject, listener, to: false)
            try await context.change(subject, on: writer)
            try await context.expectNoEvent(of: subject, on: listener, "An event after unsubscribing")
        },
        Check(
            "events.new-connection",
            .must,
            .paired,
            "A new connection has no subscriptions: those of former ones ended with them.",
            source
        ) { context in
            let subject = try await context.subject()
            let (listener, writer) = try await context.listener(subject)
            try await listener.close()
            let newcomer = try await context.newSession()
            try await context.change(subject, on: writer)
            try await context.expectNoEvent(of: subject, on: newcomer, "An event to a new connection")
        },
        Check(
            "events.once",
            .must,
            .paired,
            "Subscribing twice doesn't double events.",
            source
        ) { context in
            let subject = try await context.subject()
            let (listener, writer) = try await context.listener(subject)
            try await context.subscribe(subject, listener)
            try await context.change(subject, on: writer)
            _ = try await context.event(on: listener, "After another connection's write")
            try await context.expectNoEvent(of: subject, on: listener, "A second event")
        },
        Check(
            "events.unchanged",
            .should,
            .paired,
            "Writing the value that a characteristic already has sends no event.",
            source
        ) { context in
            let subject = try await context.subject()
            let (listener, writer) = try await context.listener(subject)
            guard let value = try await context.value(of: subject.id, on: writer).flatMap({ CheckSubject.text($0) })
            else { throw CheckNotApplicable("The value can't be written back.") }
            _ = try await context.write([(subject.id, #""value":\#(value)"#)], on: writer)
            try await context.expectNoEvent(of: subject, on: listener, "An event without a change")
        },
        Check(
            "events.response-first",
            .must,
            .paired,
            "An event never comes before the response to a request that was sent before the change.",
            source
        ) { context in
            let subject = try await context.subject()
            let (listener, writer) = try await context.listener(subject)
            let request = HTTPRequest(.get, "/characteristics?id=\(subject.id)", host: context.target.host).encoded()
            // The first byte of the request is at the accessory before the change is made.
            try await listener.send(Array(request.prefix(1)))
            try await listener.send(Array(request.dropFirst()))
            try await context.change(subject, on: writer)
            guard case .response? = try await listener.next() else {
                throw CheckFailure("The event came first.")
            }
        },
    ]
}
