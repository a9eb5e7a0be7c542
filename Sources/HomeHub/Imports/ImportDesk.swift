import Foundation
import HomeModel
import HubAPI

/// Takes in exports from clients, piece by piece, and imports the homes in them.
actor ImportDesk {
    private struct Export {
        var id: UUID
        var text = Data()
    }

    /// The most connections whose exports are kept at a time.
    static let exports = 8

    private let database: HomeDatabase
    private var written: [HubSession.ID: Export] = [:]

    init(database: HomeDatabase) {
        self.database = database
    }

    /// Registers the methods.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.writeImport) { (parameters, session) async throws(HubError) in
            try await self.write(parameters, for: session)
            return .done(Done())
        }
        router.on(HubMethods.importHomes) { (parameters, session) async throws(HubError) in
            .later { () async throws(HubError) in try await self.importHomes(parameters, for: session) }
        }
    }

    /// Forgets what a session has written.
    func abandon(_ session: HubSession.ID) {
        written[session] = nil
    }

    private func write(_ parameters: WriteImport, for session: HubSession) throws(HubError) {
        if written[session.id]?.id != parameters.id { written[session.id] = nil }
        guard written[session.id] != nil || written.count < Self.exports else {
            throw HubError(.notAllowedNow, "Others are importing homes. Try again in a moment.")
        }
        guard parameters.offset == written[session.id]?.text.count ?? 0 else {
            throw HubError(.malformedMessage, "A piece of an export begins where the one before ended.")
        }
        guard parameters.offset + parameters.bytes.count <= HomeLimits.exportLength else {
            written[session.id] = nil
            throw HubError(HomeError(.limitExceeded, "An export has at most \(HomeLimits.exportLength) bytes."))
        }
        written[session.id, default: Export(id: parameters.id)].text.append(parameters.bytes)
        // Its end may have come before.
        if session.isClosed { written[session.id] = nil }
    }

    private func importHomes(
        _ parameters: ImportHomes,
        for session: HubSession
    ) async throws(HubError) -> ImportReport {
        guard let export = written[session.id], export.id == parameters.id else {
            throw HubError(HomeError(.notFound, "This connection has written no such export."))
        }
        let homes = try await Self.homes(in: export.text, named: parameters.home)
        if parameters.isDryRun { return try await database.importReport(homes, by: session.caller) }
        let (report, commitment) = try await database.submitImport(homes, by: session.caller)
        try await commitment.settled()
        if written[session.id]?.id == export.id { written[session.id] = nil }
        return report
    }

    /// Reads an export, on a thread of its own: a long one would keep others from theirs.
    private static func homes(in text: Data, named name: String?) async throws(HubError) -> [ExportedHome] {
        let reading = Task.detached { () -> Result<[ExportedHome], HomeError> in
            do throws(HomeError) {
                return .success(try HomeExport.homes(in: text))
            } catch {
                return .failure(error)
            }
        }
        let homes: [ExportedHome]
        do throws(HomeError) {
            homes = try await reading.value.get()
        } catch {
            throw HubError(error)
        }
        guard let name else { return homes }
        let wanted = homes.filter { $0.name.map(FoldedName.init) == FoldedName(name) }
        guard !wanted.isEmpty else {
            let names = homes.compactMap(\.name).map { "“\($0)”" }.joined(separator: ", ")
            let known = names.isEmpty ? "none" : names
            throw HubError(HomeError(.notFound, "The export has no such home. It has \(known)."))
        }
        return wanted
    }
}
