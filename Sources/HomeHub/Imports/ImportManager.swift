import Foundation
import HomeModel
import HubAPI

/// Receives exports from clients in chunks, and imports the homes in them.
actor ImportManager: HubPart {
    private struct Export {
        var id: UUID
        var text = Data()
    }

    /// The maximum number of connections with an uploaded export.
    static let exports = 8

    /// The number of attempts outside the database before the database itself decides the import.
    private static let maximumAttempts = 3
    static let hasStopped = HubError(.connectionLost, "The hub has stopped.")

    private let database: HomeDatabase
    private let decider = ImportDecider()
    /// The imports in progress, at most one per session.
    private var running: [HubSession.ID: Task<Result<Committed<ImportReport>, HubError>, Never>] = [:]
    private var isStopped = false
    private var uploads: [HubSession.ID: Export] = [:]

    init(database: HomeDatabase) {
        self.database = database
    }

    /// Registers the methods.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.writeImport) { (parameters, session) async throws(HubError) in
            try await self.write(parameters, for: session)
            return .done(Empty())
        }
        router.on(HubMethods.importHomes) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in
                try await self.importHomes(parameters, for: session, request)
            }
        }
    }

    /// Discards a session's export.
    func sessionDidEnd(_ session: HubSession.ID) async {
        uploads[session] = nil
    }

    /// Cancels imports in progress. Those that haven't been decided yet are not carried out.
    func stop() async {
        isStopped = true
        for work in running.values { work.cancel() }
    }

    private func write(_ parameters: WriteImport, for session: HubSession) throws(HubError) {
        if uploads[session.id]?.id != parameters.id { uploads[session.id] = nil }
        guard uploads[session.id] != nil || uploads.count < Self.exports else {
            throw HubError(.notAllowedNow, "Other clients are importing homes. Try again in a moment.")
        }
        guard parameters.offset == uploads[session.id]?.text.count ?? 0 else {
            throw HubError(.malformedMessage, "A chunk of an export must begin where the previous one ended.")
        }
        guard parameters.offset + parameters.bytes.count <= HomeLimits.exportLength else {
            uploads[session.id] = nil
            throw HubError(HomeError(.limitExceeded, "An export can have at most \(HomeLimits.exportLength) bytes."))
        }
        uploads[session.id, default: Export(id: parameters.id)].text.append(parameters.bytes)
        // The session may have closed in the meantime.
        if session.isClosed { uploads[session.id] = nil }
    }

    private func importHomes(
        _ parameters: ImportHomes,
        for session: HubSession,
        _ request: KeyedRequest?
    ) async throws(HubError) -> Committed<ImportReport> {
        guard !isStopped else { throw Self.hasStopped }
        guard let export = uploads[session.id], export.id == parameters.id else {
            throw HubError(HomeError(.notFound, "This connection has no export with that ID."))
        }
        guard running[session.id] == nil else {
            throw HubError(.notAllowedNow, "This connection is already importing homes. Wait for the reply.")
        }
        let (name, caller, cause, isDryRun) = (parameters.home, session.caller, session.cause, parameters.isDryRun)
        let projection = session.projection
        let work = Task { () -> Result<Committed<ImportReport>, HubError> in
            do throws(HubError) {
                let text = export.text
                return .success(
                    try await self.importHomes(
                        in: text,
                        named: name,
                        isDryRun,
                        by: caller,
                        projection,
                        cause: cause,
                        request
                    )
                )
            } catch {
                return .failure(Task.isCancelled ? Self.hasStopped : error)
            }
        }
        running[session.id] = work
        defer { running[session.id] = nil }
        let report = try await work.value.get()
        if !isDryRun, uploads[session.id]?.id == export.id { uploads[session.id] = nil }
        return report
    }

    private func importHomes(
        in text: Data,
        named name: String?,
        _ isDryRun: Bool,
        by caller: Caller,
        _ projection: Projection,
        cause: Cause,
        _ request: KeyedRequest?
    ) async throws(HubError) -> Committed<ImportReport> {
        let homes = try await homes(in: text, named: name)
        for _ in 0..<Self.maximumAttempts {
            let ground = await database.importGround(for: caller.user)
            let decision = try await decider.decide(homes, on: ground, by: caller, projection)
            if isDryRun { return Committed(decision.report, follows: []) }
            guard !Task.isCancelled else { throw Self.hasStopped }
            let receipt = try request?.receipt(decision.report)
            guard let change = await database.submit(decision, by: caller, cause: cause, receipt: receipt)
            else { continue }
            return try await change.committed(decision.report)
        }
        // The homes keep changing, so the database decides the import itself while other requests wait.
        let (report, change) = try await database.submitImport(
            homes,
            by: caller,
            projection,
            cause: cause,
            request: request
        )
        return try await change.committed(report)
    }

    private func homes(in text: Data, named name: String?) async throws(HubError) -> [ExportedHome] {
        let homes: [ExportedHome]
        do throws(HomeError) {
            homes = try await decider.homes(in: text)
        } catch {
            throw HubError(error)
        }
        guard let name else { return homes }
        let matching = homes.filter { $0.name.map(FoldedName.init) == FoldedName(name) }
        guard !matching.isEmpty else {
            let names = homes.compactMap(\.name).map { "“\($0)”" }.joined(separator: ", ")
            let available = names.isEmpty ? "none" : names
            throw HubError(HomeError(.notFound, "The export has no such home. It has \(available)."))
        }
        return matching
    }
}
