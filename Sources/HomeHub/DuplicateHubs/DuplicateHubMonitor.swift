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
    private struct Told {
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
    private let term: HubPrecedence
    private let log: Logger
    private var watch: DuplicateHubPolicy
    private var told: [UUID: Told] = [:]
    private let yielded: AsyncStream<HubError>
    private let yielding: AsyncStream<HubError>.Continuation

    init(network: any ServiceDiscovery, database: HomeDatabase, vault: PairingVault, term: HubPrecedence, log: Logger) {
        self.network = network
        self.database = database
        self.vault = vault
        self.term = term
        self.log = log
        watch = DuplicateHubPolicy(rank: term.rank)
        (yielded, yielding) = AsyncStream.makeStream()
    }

    /// Announces and listens until the task is canceled.
    func run() async {
        await withTaskGroup { group in
            var isListening = false
            while !Task.isCancelled {
                let homes = await homesToTellOf()
                // Listening starts before announcing, so that no answer is missed. Without homes there is nothing to
                // do.
                if !isListening, !homes.isEmpty {
                    isListening = true
                    group.addTask { await self.listen(self.network.services(of: .hub)) }
                }
                await tell(of: homes)
                try? await Task.sleep(for: Self.pause)
            }
            for home in told.values { await home.announcement.withdraw() }
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
    private func homesToTellOf() async -> [UUID: LongTermKeyPair] {
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
    private func tell(of homes: [UUID: LongTermKeyPair]) async {
        for (home, key) in homes where told[home] == nil {
            do {
                let claim = HubClaim(home: home, rank: term.rank, heard: watch.heard)
                let advertisement = ServiceAdvertisement(
                    instanceName: HubClaim.name(of: home).prefix(Self.nameLength) + "-" + HubClaim.text(term.rank.run),
                    type: .hub,
                    port: Self.noPort,
                    txt: try claim.txt(signedBy: key)
                )
                told[home] = Told(claim: claim, announcement: try await network.announce(advertisement))
                // Claims that arrived while the name was being established get an answer too.
                try await answer(in: home, key)
            } catch {
                guard !Task.isCancelled else { return }
                log.warning("This hub could not be announced to other hubs.", metadata: ["error": "\(error)"])
            }
        }
        for home in told.keys where homes[home] == nil {
            await told.removeValue(forKey: home)?.announcement.withdraw()
        }
    }

    /// Announces which hubs of lower rank were found, unless it is already announced.
    private func answer(in home: UUID, _ key: LongTermKeyPair) async throws {
        guard var claim = told[home]?.claim, claim.heard != watch.heard else { return }
        claim.heard = watch.heard
        told[home]?.claim = claim
        try await told[home]?.announcement.update(txt: claim.txt(signedBy: key))
    }

    // MARK: Listening

    private func listen(_ services: some AsyncSequence<BrowseEvent, Never> & Sendable) async {
        for await event in services {
            switch event {
            case .found(let service), .changed(let service): await hear(service)
            case .gone: break
            }
        }
    }

    private func hear(_ service: Service) async {
        // The home's claim name is compared first, because anyone on the link could cause the work of verifying
        // signatures.
        for home in await database.homes where service.txt[HubClaim.Key.home] == HubClaim.name(of: home.id) {
            do {
                guard let key = try await vault.existingIdentity(of: home.id)?.keyPair,
                    let claim = HubClaim(service.txt, of: home.id, signedWith: key.publicKey)
                else { continue }
                switch watch.hear(claim) {
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
    private func yield(to rival: HubClaim.Rank, because reason: String) async {
        let end = term.end(because: reason)
        do {
            try await term.keep(rival, because: reason)
        } catch {
            log.error("The precedence of another hub could not be stored.", metadata: ["error": "\(error)"])
        }
        yielding.yield(end)
    }

    /// Returns a sentence about another hub. The host in it isn't authenticated.
    private func reason(_ claim: HubClaim, _ home: UUID, _ service: Service) async -> String {
        let name = await database.names(of: home).first ?? home.uuidString
        let place = service.addresses.first.map { " (\($0.address))" } ?? ""
        let host = service.hostName.sanitized(maximumLength: HomeLimits.nameLength) + place
        let what =
            claim.rank.generation == term.rank.generation
            ? "from a copy of this hub's data folder: it started at \(Self.time(claim.rank.start)), this hub at "
                + "\(Self.time(term.rank.start))"
            : claim.rank.generation > term.rank.generation
                ? "and was restored or claimed by “hearth claim” at \(Self.time(claim.rank.generation)), after this hub"
                : "as it was before this hub was restored or claimed by “hearth claim”"
        return "Another hub, seen at \(host), runs the home “\(name)”, \(what)."
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
