internal import HAP
internal import HAPCatalog

extension CheckContext {
    /// Restarts the accessory once for all checks of the group, and returns the database after that.
    func restarted() async throws -> CheckedDatabase {
        if let restarted { return restarted }
        guard let restart = options.restart else { throw CheckNotApplicable("There is no command to restart.") }
        endSession()
        if let stop = options.stop {
            try await stop()
            saidGoodbye = await options.advertisements?.isWithdrawn()
        }
        let place = try await restart()
        target = options.attacks ? try AttackTarget.resolve(place) : place
        let response = try await newSession().get("/accessories")
        guard let database = CheckedDatabase(response.body) else {
            throw CheckFailure("After the restart: \(describe(response))")
        }
        restarted = database
        return database
    }
}

extension Check {
    private static let source = "HAP (Instance IDs)"

    /// Returns what identifies each service and characteristic.
    private static func identities(_ database: CheckedDatabase) -> [String] {
        database.accessories.flatMap { accessory in
            accessory.services.flatMap { service in
                ["\(accessory.aid ?? 0).\(service.iid ?? 0) \(service.typeText)"]
                    + service.characteristics.map { "\($0.id) \($0.typeText)" }
            }
        }
    }

    static let restart: [Check] = [
        Check(
            "restart.pairing",
            .must,
            .restart,
            "A pairing survives a restart.",
            "HAP 5.10 to 5.12 (Pairings)"
        ) { context in
            _ = try await context.restarted()
        },
        Check(
            "restart.ids",
            .must,
            .restart,
            "Every aid and iid is the same after a restart.",
            source
        ) { context in
            let (before, after) = (try await context.database(), try await context.restarted())
            let lost = Set(identities(before)).subtracting(identities(after))
            try context.expect(
                lost.isEmpty,
                "Gone: \(PrintableText.excerpt(lost.sorted().prefix(3).joined(separator: ", ")))"
            )
        },
        Check(
            "restart.configuration-number",
            .must,
            .restart,
            "A restart without a change keeps the TXT key c#.",
            "HAP 6.4 (Discovery)"
        ) { context in
            guard let source = context.options.advertisements, let before = context.firstAdvertisement?.txt["c#"] else {
                throw CheckNotApplicable("The accessory's advertisement wasn't heard.")
            }
            _ = try await context.restarted()
            let port = context.target.port
            let after = await source.current { $0.port == port }?.txt["c#"]
            try context.expect(after == before, "c# was \(before), then \(PrintableText.excerpt(after ?? "absent"))")
        },
        Check(
            "restart.subscriptions",
            .must,
            .restart,
            "A session after a restart has no subscriptions.",
            "HAP 6.8 (Notifications)"
        ) { context in
            let subject = try await context.subject()
            _ = try await context.restarted()
            let response = try await context.newSession().get("/characteristics?id=\(subject.id)&ev=1")
            let value = try context.entries(of: response).first?.object["ev"]
            try context.expect(value != .bool(true), "ev is true")
        },
    ]
}
