import DNSSD
import Foundation
import HAP
import HomeModel
import HubAPI

/// Diagnoses accessories for clients.
///
/// Runs one diagnosis per accessory server at a time. Concurrent requests for the same accessory share a result.
actor DiagnosisManager: HubPart {
    /// The maximum number of diagnoses that run or wait.
    static let maximumAtOnce = 16
    /// The maximum time that a diagnosis waits before it starts.
    static let maximumWait = Duration.seconds(45)

    private typealias Outcome = Result<AccessoryDiagnosis, HubError>

    private let database: HomeDatabase
    private let connections: AccessoryConnections
    private let discovery: AccessoryDiscovery
    private let network: any ServiceDiscovery
    private let live: LiveState
    private let now: @Sendable () -> Date
    /// The diagnoses in progress, by accessory.
    private var running: [UUID: Task<Outcome, Never>] = [:]
    private let turns = DiagnosisQueue()

    init(
        database: HomeDatabase,
        connections: AccessoryConnections,
        discovery: AccessoryDiscovery,
        network: any ServiceDiscovery,
        live: LiveState,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.connections = connections
        self.discovery = discovery
        self.network = network
        self.live = live
        self.now = now
    }

    /// Registers the method.
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.diagnoseAccessory) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.diagnose(parameters, for: session.user) }
        }
    }

    /// Returns an accessory's diagnosis. Every user of the home may ask for it.
    private func diagnose(_ target: ItemTarget, for user: UUID) async throws(HubError) -> AccessoryDiagnosis {
        let home = try await database.home(target.home, for: user)
        guard let record = home.accessories[id: target.id],
            let server = DeviceID(record.server)
        else { throw HubError(HomeError(.notFound, "The home has no such accessory.")) }
        if let task = running[record.id] { return try await task.value.get() }
        guard running.count < Self.maximumAtOnce else {
            throw HubError(.notAllowedNow, "\(Self.maximumAtOnce) diagnoses are being made. Try again in a moment.")
        }
        let run = DiagnosisRun(
            subject: DiagnosisRun.Subject(
                home: target.home,
                accessory: record.id,
                server: server,
                aid: record.aid,
                isBlocked: record.isBlocked,
                names: Set(
                    home.accessories(onServer: record.server).filter { $0.bridge == nil }
                        .flatMap { [$0.reportedName, $0.name] }
                )
            ),
            connections: connections,
            discovery: discovery,
            network: network,
            live: live,
            networks: { NetworkInterface.all().flatMap(\.subnets) },
            now: now
        )
        let task = Task { () -> Outcome in
            defer { running[record.id] = nil }
            guard await turns.acquire(server, within: Self.maximumWait) else {
                return .failure(
                    HubError(.notAllowedNow, "Its accessory server is being diagnosed. Try again in a moment.")
                )
            }
            let outcome = await make(run, for: user)
            await turns.release(server)
            return outcome
        }
        running[record.id] = task
        return try await task.value.get()
    }

    /// Runs a diagnosis. A user may have blocked or removed the accessory while the diagnosis waited.
    private func make(_ run: DiagnosisRun, for user: UUID) async -> Outcome {
        var run = run
        let subject = run.subject
        do throws(HubError) {
            guard let record = try await database.home(subject.home, for: user).accessories[id: subject.accessory]
            else { throw HubError(HomeError(.notFound, "The accessory has been removed.")) }
            run.subject.isBlocked = record.isBlocked
        } catch {
            return .failure(error)
        }
        return .success(await run.diagnosis())
    }
}
