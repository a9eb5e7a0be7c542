import DNSSD
import Foundation
import HAP
import HomeModel
import HubAPI

/// Looks into what is the matter with accessories, for clients: one look at a time at an accessory server, and who asks
/// for the same meanwhile gets the same.
actor DiagnosisDesk {
    /// The most diagnoses that are made or wait for their turn.
    static let mostAtOnce = 16

    private let database: HomeDatabase
    private let connections: AccessoryConnections
    private let discovery: AccessoryDiscovery
    private let network: any ServiceDiscovery
    private let live: LiveState
    private let now: @Sendable () -> Date
    /// By accessory.
    private var running: [UUID: Task<AccessoryDiagnosis, Never>] = [:]
    /// The last one of each server, which the next waits for.
    private var turns: [DeviceID: (accessory: UUID, task: Task<AccessoryDiagnosis, Never>)] = [:]

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
            .later { () async throws(HubError) in try await self.diagnose(parameters, for: session.user) }
        }
    }

    /// Everyone who has a part in the home may ask.
    private func diagnose(_ target: Target, for user: UUID) async throws(HubError) -> AccessoryDiagnosis {
        let home = try await database.home(target.home, for: user)
        guard let record = home.accessories[id: target.id],
            let server = DeviceID(record.server)
        else { throw HubError(HomeError(.notFound, "There is no such accessory in the home.")) }
        if let task = running[record.id] { return await task.value }
        guard running.count < Self.mostAtOnce else {
            throw HubError(.notAllowedNow, "\(Self.mostAtOnce) diagnoses are being made. Try again in a moment.")
        }
        let examination = AccessoryExamination(
            subject: AccessoryExamination.Subject(
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
        let former = turns[server]?.task
        let task = Task {
            _ = await former?.value
            let diagnosis = await examination.diagnosis()
            end(record.id, server)
            return diagnosis
        }
        running[record.id] = task
        turns[server] = (record.id, task)
        return await task.value
    }

    private func end(_ accessory: UUID, _ server: DeviceID) {
        running[accessory] = nil
        if turns[server]?.accessory == accessory { turns[server] = nil }
    }
}
