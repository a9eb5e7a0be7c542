import Foundation
import HomeModel
import HubAPI
import Journal

extension JournalRecorder {
    /// Registers the methods that read the journal. Each member of a home reads its entries as ``HubAPI/Projection`` shows
    /// them to the member's role.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.journal) { [self] (query, session) async throws(HubError) in
            let role = try await role(of: session, in: query.home)
            let limits = 1...HubProtocol.journalEntriesPerPage
            guard limits.contains(query.limit) else {
                throw HubError(
                    HomeError(
                        .invalidParameter,
                        "A page of the journal has \(limits.lowerBound) to \(limits.upperBound) entries, not \(query.limit)."
                    )
                )
            }
            return .deferred { () async throws(HubError) in
                let selection = JournalSelection(
                    home: query.home,
                    about: query.about,
                    since: query.since,
                    before: query.before,
                    kinds: Self.kinds(visibleTo: role),
                    limit: query.limit
                )
                return JournalPage(entries: try await self.entries(selection).seen(by: session, as: role))
            }
        }
        router.on(HubMethods.explain) { [self] (target, session) async throws(HubError) in
            let role = try await role(of: session, in: target.home)
            let home = try await database.home(target.home, for: session.user)
            return .deferred { () async throws(HubError) in
                let chain = try await self.explain(target.id, in: target.home)
                let isKnown =
                    home.accessories[id: target.id] != nil || home.triggers[id: target.id] != nil
                    || home.actionSet(target.id) != nil
                guard isKnown || !chain.isEmpty else {
                    throw HubError(
                        HomeError(.notFound, "The home has no such accessory, scene or automation, and never had one.")
                    )
                }
                return JournalPage(entries: chain.seen(by: session, as: role))
            }
        }
        router.on(HubMethods.journalSamples) { [self] (query, session) async throws(HubError) in
            _ = try await role(of: session, in: query.home)
            return .deferred { () async throws(HubError) in
                JournalSamples(try await self.samples(query, limit: HubProtocol.journalSamplesPerPage))
            }
        }
        router.on(HubMethods.followJournal) { [self] _, session in
            await follow(session)
            return .done(Empty())
        }
    }

    private nonisolated func role(of session: HubSession, in home: UUID) async throws(HubError) -> Role {
        try await database.home(home, for: session.user).activeRole(of: session.user) ?? .guest
    }

    /// Returns the kinds of entries that a role may see some of, so that a page is full.
    private static func kinds(visibleTo role: Role) -> Set<JournalKind> {
        let all = Set(JournalKind.allCases)
        return role.canEditLayout ? all : all.subtracting([.change, .presence])
    }
}

extension [JournalEntry] {
    /// Returns the entries in the form that a session may see.
    fileprivate func seen(by session: HubSession, as role: Role) -> [JournalEntry] {
        let projection = session.projection
        return compactMap { projection.entry($0, as: role) }
    }
}

extension JournalSamples {
    /// Groups samples by their characteristics.
    fileprivate init(_ samples: [JournalSample]) {
        let series = Dictionary(grouping: samples, by: \.source.iid).sorted { $0.key < $1.key }
        self.init(
            series: series.map { iid, samples in
                Series(iid: iid, times: samples.map(\.time.milliseconds), values: samples.map(\.value))
            }
        )
    }
}
