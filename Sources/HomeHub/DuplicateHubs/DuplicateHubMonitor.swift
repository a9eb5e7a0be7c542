import DNSSD
import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging

/// Tells other hubs of the same homes of this one, and hears of them.
///
/// Two hubs of one home confuse each other and its accessories, so the one that is not to go on stops. It is found out by
/// multicast DNS, where both of them hear it. What is heard there counts only if it is signed with a home's controller key
/// and answers this start of the hub; nothing else that is heard changes anything.
actor DuplicateHubMonitor {
    private struct Told {
        var claim: HubClaim
        var announcement: any ServiceAnnouncement
    }

    /// How often it is looked for homes that came or went.
    private static let pause = Duration.seconds(60)
    /// The least time between two answers: what others send does not make this hub send more.
    private static let answerPause = Duration.seconds(1)
    /// The hub listens nowhere; DNS-SD has no way to say so but this.
    private static let noPort: UInt16 = 0
    /// How much of a home's name among hubs is in the name of the service.
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

    /// Tells and hears until the task is cancelled.
    func run() async {
        await withTaskGroup { group in
            var isListening = false
            while !Task.isCancelled {
                let homes = await homesToTellOf()
                // Before it tells: who answers is to be heard. With nothing to tell there is nobody to hear either.
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

    /// Waits until this hub is to stop because another one goes on.
    ///
    /// - Returns: Why; nil if the task was cancelled.
    nonisolated func superseded() async -> HubError? {
        for await error in yielded { return error }
        return nil
    }

    // MARK: Telling

    /// The homes with their keys. One without a controller key has never had an accessory, so there is nothing to confuse.
    private func homesToTellOf() async -> [UUID: LongTermKeyPair] {
        var keys: [UUID: LongTermKeyPair] = [:]
        for home in await database.homes.map(\.id) {
            do {
                keys[home] = try await vault.existingIdentity(of: home)?.keyPair
            } catch {
                log.error("The key of a home cannot be read.", metadata: ["error": "\(error)"])
            }
        }
        return keys
    }

    /// Tells of homes that came, and no longer of those that went.
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
                // What was heard while the name was being established is answered too.
                try await answer(in: home, key)
            } catch {
                guard !Task.isCancelled else { return }
                log.warning("Other hubs cannot be told of this one.", metadata: ["error": "\(error)"])
            }
        }
        for home in told.keys where homes[home] == nil {
            await told.removeValue(forKey: home)?.announcement.withdraw()
        }
    }

    /// Says which lesser hubs were heard, if that is not said already.
    private func answer(in home: UUID, _ key: LongTermKeyPair) async throws {
        guard var claim = told[home]?.claim, claim.heard != watch.heard else { return }
        claim.heard = watch.heard
        told[home]?.claim = claim
        try await told[home]?.announcement.update(txt: claim.txt(signedBy: key))
    }

    // MARK: Hearing

    private func listen(_ services: some AsyncSequence<BrowseEvent, Never> & Sendable) async {
        for await event in services {
            switch event {
            case .found(let service), .changed(let service): await hear(service)
            case .gone: break
            }
        }
    }

    private func hear(_ service: Service) async {
        // Told apart by their names first: verifying a signature is work that anybody on the link could ask for.
        for home in await database.homes where service.txt[HubClaim.Key.home] == HubClaim.name(of: home.id) {
            do {
                guard let key = try await vault.existingIdentity(of: home.id)?.keyPair,
                    let claim = HubClaim(service.txt, of: home.id, signedWith: key.publicKey)
                else { continue }
                switch watch.hear(claim) {
                case .nothing: break
                case .answer:
                    let reason = await reason(claim, home.id, service)
                    log.warning("\(reason) It is to stop.")
                    try await answer(in: home.id, key)
                    try? await Task.sleep(for: Self.answerPause)
                case .yield:
                    let reason = await reason(claim, home.id, service)
                    await yield(to: claim.rank, because: "\(reason) This one stops.")
                }
            } catch {
                log.error("What another hub says cannot be followed.", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Has this hub stop, also where that cannot be kept for its next start: that one will hear the other hub, too.
    private func yield(to rival: HubClaim.Rank, because reason: String) async {
        let end = term.end(because: reason)
        do {
            try await term.keep(rival, because: reason)
        } catch {
            log.error("That another hub goes on could not be noted.", metadata: ["error": "\(error)"])
        }
        yielding.yield(end)
    }

    /// What is known of another hub, for people. Where it is nobody has signed.
    private func reason(_ claim: HubClaim, _ home: UUID, _ service: Service) async -> String {
        let name = await database.names(of: home).first ?? home.uuidString
        let place = service.addresses.first.map { " (\($0.address))" } ?? ""
        let host = service.hostName.sanitized(maximumLength: HomeLimits.nameLength) + place
        let what =
            claim.rank.generation == term.rank.generation
            ? "from a copy of this one's data folder; it was started at \(Self.time(claim.rank.start)), this one at "
                + "\(Self.time(term.rank.start))"
            : claim.rank.generation > term.rank.generation
                ? "and was restored, or chosen by “hearth claim”, at \(Self.time(claim.rank.generation)), after this one"
                : "as it was before this one was restored, or chosen by “hearth claim”"
        return "Another hub, seen at \(host), runs the home “\(name)”, \(what)."
    }

    private static func time(_ milliseconds: Int) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
    }
}

extension ServiceType {
    /// Hubs, among themselves: `_hearth-hub._tcp`. Nothing listens there.
    static let hub = {
        guard let type = try? ServiceType("_hearth-hub._tcp") else { preconditionFailure("a valid type") }
        return type
    }()
}
