import DNSSD
import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging

/// Announces this hub to other hubs of its homes, and detects theirs.
///
/// Two hubs that run one home confuse each other and its accessories, so the one of lower rank must stop. They find
/// each other by multicast DNS. A claim counts only if it is signed with a home's controller key and echoes this hub's
/// run ID; anything else is ignored.
actor DuplicateHubMonitor {
    private struct Announced {
        var claim: HubClaim
        var announcement: any ServiceAnnouncement
    }

    /// The interval between checks for new and removed homes.
    private static let pause = Duration.seconds(60)
    /// The minimum time between two answers, so that other hubs' messages don't make this hub send more.
    private static let answerPause = Duration.seconds(1)
    /// The hub doesn't listen on a port, which DNS-SD can only express with this value.
    private static let noPort: UInt16 = 0
    /// The number of characters of a home's claim name in the name of the service.
    private static let nameLength = 8

    private let network: any ServiceDiscovery
    private let database: HomeDatabase
    private let vault: PairingVault
    private let precedence: HubPrecedence
    private let log: Logger
    private var policy: DuplicateHubPolicy
    private var announced: [UUID: Announced] = [:]
    private let yielded: AsyncStream<HubError>
    private let yielding: AsyncStream<HubError>.Continuation

    init(
        network: any ServiceDiscovery,
        database: HomeDatabase,
        vault: PairingVault,
        term precedence: HubPrecedence,
        log: Logger
    ) {
        self.network = network
        self.database = database
        self.vault = vault
        self.precedence = precedence
        self.log = log
        policy = DuplicateHubPolicy(rank: precedence.rank)
        (yielded, yielding) = AsyncStream.makeStream()
    }

    /// Announces and listens until the task is canceled.
    func run() async {
        await withTaskGroup { group in
            var isListening = false
            while !Task.isCancelled {
                let homes = await homesToAnnounce()
                // Listening starts before announcing, so that no answer is missed. Without homes there is nothing to
                // do.
                if !isListening, !homes.isEmpty {
                    isListening = true
                    group.addTask { await self.listen(self.network.services(of: .hub)) }
                }
                await announce(homes)
                try? await Task.sleep(for: Self.pause)
            }
            for home in announced.values { await home.announcement.withdraw() }
        }
    }

    /// Waits until this hub must stop because another one takes precedence.
    ///
    /// - Returns: The reason; `nil` if the task was canceled.
    nonisolated func superseded() async -> HubError? {
        for await error in yielded { return error }
        return nil
    }

    // MARK: Announcing

    /// Returns the homes with their keys. A home without a controller key has never had an accessory, so nothing can
    /// conflict.
    private func homesToAnnounce() async -> [UUID: LongTermKeyPair] {
        var keys: [UUID: LongTermKeyPair] = [:]
        for home in await database.homes.map(\.id) {
            do {
                keys[home] = try await vault.existingIdentity(of: home)?.keyPair
            } catch {
                log.error("The key of a home could not be read.", metadata: ["error": "\(error)"])
            }
        }
        return keys
    }

    /// Announces new homes and withdraws the announcements of removed ones.
    private func announce(_ homes: [UUID: LongTermKeyPair]) async {
        for (home, key) in homes where announced[home] == nil {
            do {
                let claim = HubClaim(home: home, rank: precedence.rank, heard: policy.heard)
                let advertisement = ServiceAdvertisement(
                    instanceName: HubClaim.name(of: home).prefix(Self.nameLength) + "-"
                        + HubClaim.text(precedence.rank.run),
                    type: .hub,
                    port: Self.noPort,
                    txt: try claim.txt(signedBy: key)
                )
                announced[home] = Announced(claim: claim, announcement: try await network.announce(advertisement))
                // Claims that arrived while the name was being established get an answer too.
                try await answer(in: home, key)
            } catch {
                guard !Task.isCancelled else { return }
                log.warning("This hub could not be announced to other hubs.", metadata: ["error": "\(error)"])
            }
        }
        for home in announced.keys where homes[home] == nil {
            await announced.removeValue(forKey: home)?.announcement.withdraw()
        }
    }

    /// Announces which hubs of lower rank were found, unless it is already announced.
    private func answer(in home: UUID, _ key: LongTermKeyPair) async throws {
        guard var claim = announced[home]?.claim, claim.heard != policy.heard else { return }
        claim.heard = policy.heard
        announced[home]?.claim = claim
        try await announced[home]?.announcement.update(txt: claim.txt(signedBy: key))
    }

    // MARK: Listening

    private func listen(_ services: some AsyncSequence<BrowseEvent, Never> & Sendable) async {
        for await event in services {
            switch event {
            case .found(let service), .changed(let service): await handle(service)
            case .gone: break
            }
        }
    }

    private func handle(_ service: Service) async {
        // The home's claim name is compared first, because anyone on the link could cause the work of verifying
        // signatures.
        for home in await database.homes where service.txt[HubClaim.Key.home] == HubClaim.name(of: home.id) {
            do {
                guard let key = try await vault.existingIdentity(of: home.id)?.keyPair,
                    let claim = HubClaim(service.txt, of: home.id, signedWith: key.publicKey)
                else { continue }
                switch policy.handle(claim) {
                case .nothing: break
                case .answer:
                    let reason = await reason(claim, home.id, service)
                    log.warning("\(reason) It must stop.")
                    try await answer(in: home.id, key)
                    try? await Task.sleep(for: Self.answerPause)
                case .yield:
                    let reason = await reason(claim, home.id, service)
                    await yield(to: claim.rank, because: "\(reason) This hub stops.")
                }
            } catch {
                log.error("Another hub's claim could not be processed.", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Stops this hub, even if that can't be stored for its next start: the next start will find the other hub, too.
    private func yield(to other: HubClaim.Rank, because reason: String) async {
        let error = precedence.error(because: reason)
        do {
            try await precedence.recordSupersession(by: other, because: reason)
        } catch {
            log.error("The precedence of another hub could not be stored.", metadata: ["error": "\(error)"])
        }
        yielding.yield(error)
    }

    /// Returns a sentence about another hub. The host in it isn't authenticated.
    private func reason(_ claim: HubClaim, _ home: UUID, _ service: Service) async -> String {
        let name = await database.names(of: home).first ?? home.uuidString
        let address = service.addresses.first.map { " (\($0.address))" } ?? ""
        let host = service.hostName.sanitized(maximumLength: HomeLimits.nameLength) + address
        let origin =
            claim.rank.generation == precedence.rank.generation
            ? "from a copy of this hub's data folder: it started at \(Self.time(claim.rank.start)), this hub at "
                + "\(Self.time(precedence.rank.start))"
            : claim.rank.generation > precedence.rank.generation
                ? "and was restored or claimed by “hearth claim” at \(Self.time(claim.rank.generation)), after this hub"
                : "as it was before this hub was restored or claimed by “hearth claim”"
        return "Another hub, seen at \(host), runs the home “\(name)”, \(origin)."
    }

    private static func time(_ milliseconds: Int) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
    }
}

extension ServiceType {
    /// The service type of hubs, `_hearth-hub._tcp`. No hub listens on it.
    static let hub = {
        guard let type = try? ServiceType("_hearth-hub._tcp") else { preconditionFailure("a valid type") }
        return type
    }()
}
