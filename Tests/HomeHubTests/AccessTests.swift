import Foundation
import HomeModel
import HubAPI
import LocalRPC
import Testing

@testable import HomeHub

/// Who may call what, from where: the hub's method table against one written by hand.
struct AccessTests {
    /// The part that somebody has in the homes.
    private enum Part: String, CaseIterable {
        case hubOwner
        case owner
        case administrator
        case guest
        case stranger
    }

    /// The parts that may call a method, and the ways from which it can be called.
    private struct Expectation {
        var parts: Set<Part>
        var ways: Set<Way>
    }

    private static let everybody = Set(Part.allCases)
    private static let editors: Set<Part> = [.hubOwner, .owner, .administrator]
    private static let owners: Set<Part> = [.hubOwner, .owner]
    private static let anywhere: Set<Way> = [.here, .near, .away]
    private static let atHome: Set<Way> = [.here, .near]
    private static let atTheHub: Set<Way> = [.here]

    /// The methods by who may call them. Members only are named by the handlers of the methods for everybody, because
    /// to others a home doesn't exist.
    private static let table: [(parts: Set<Part>, ways: Set<Way>, methods: String)] = [
        (
            everybody, anywhere,
            """
            session.hello session.enterBackground session.enterForeground characteristic.read characteristic.write
            characteristic.notify characteristic.since accessory.identify actionSet.run trigger.test voice.say
            voice.examples voice.grammar presence.list presence.set journal.list journal.explain journal.samples
            journal.follow clock.get home.rename home.setPrimary favorite.add favorite.move favorite.remove user.remove
            question.list question.answer question.renew question.decline device.list device.rename device.remove
            invitation.list invitation.remove accessory.stopBrowsing accessory.stopBrowsingUnconfigured agent.homeKeys
            feed.open session.clock
            """
        ),
        (
            everybody, atHome,
            """
            app.list app.allow app.deny app.forget login.create device.add device.vouch device.send accessory.find
            accessory.diagnose
            """
        ),
        (
            editors, anywhere,
            """
            home.setPlace room.add room.remove room.rename room.reorder zone.add zone.remove zone.rename zone.addRoom
            zone.removeRoom service.reorder service.setHidden service.setAsksFirst service.rename
            service.setAssociatedType serviceGroup.add serviceGroup.remove serviceGroup.rename serviceGroup.addService
            serviceGroup.removeService actionSet.add actionSet.addOwned actionSet.remove actionSet.rename
            actionSet.setIcon action.add action.setValue action.remove trigger.add trigger.remove trigger.rename
            trigger.edit trigger.enable trigger.addActionSet trigger.removeActionSet accessory.rename accessory.move
            accessory.remove accessory.unblock user.add user.invite user.manage user.setRole user.setAway invitation.create
            """
        ),
        (
            editors, atHome,
            """
            accessory.add accessory.setUp accessory.import accessory.startBrowsing accessory.startBrowsingUnconfigured
            accessory.identifyDiscovered accessory.configure accessory.block home.add home.import import.write
            """
        ),
        (owners, atHome, "home.remove user.confirm device.confirm"),
        (
            [.hubOwner], atHome,
            """
            media.follow media.startBrowsing media.stopBrowsing media.choose media.command media.setVolume media.artwork
            """
        ),
        (
            [.hubOwner], atTheHub,
            """
            app.openSocket app.closeSocket backup.make backup.read clock.advance sync.enable sync.disable sync.updateVault
            sync.status hub.invite hub.list hub.leave hub.remove hub.alone
            """
        ),
    ]

    private static let expectations: [String: Expectation] = Dictionary(
        uniqueKeysWithValues: table.flatMap { row in
            row.methods.split(whereSeparator: \.isWhitespace).map {
                (String($0), Expectation(parts: row.parts, ways: row.ways))
            }
        }
    )

    /// An agent knows the methods of apps by this list, and the hub by the rows.
    @Test func theListOfMethodsForAppsIsThatOfTheRows() async throws {
        try await withHub { hub in
            let authority = SessionAuthority(
                user: hub.owner.user,
                device: hub.owner.device,
                client: .app("com.example.a")
            )
            let session = hub.accept(as: authority) { _ in }
            let allowed = hub.methods.map(\.name).filter { name in
                hub.router.refusal(of: name, to: session)?.code != .appNotAllowed
            }
            #expect(HubMethods.forApps == Set(allowed))
            session.close()
        }
    }

    /// Runs `body` with a home of an owner who isn't the hub's own user, and a user of each part.
    private func withParts(
        _ body: (HomeHub, _ home: UUID, _ users: [Part: UUID]) async throws -> Void
    ) async throws {
        try await withHub { hub in
            let host = try await RecordingHubClient(to: hub)
            let first = try await host.call(HubMethods.addHome, AddHome(name: "Villa")).id
            func join(_ home: UUID, _ name: String, _ role: Role, by client: RecordingHubClient) async throws -> UUID {
                let person = AddHomeUser(home: home, name: name, role: role)
                return await hub.account(try await client.call(HubMethods.addUser, person).id)
            }
            let ownerAccount = try await join(first, "Olga", .administrator, by: host)
            let owner = try await RecordingHubClient(to: hub, as: ownerAccount)
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Hut")).id
            let users: [Part: UUID] = [
                .hubOwner: hub.owner.user,
                .owner: ownerAccount,
                .administrator: try await join(home, "Adam", .administrator, by: owner),
                .guest: try await join(home, "Gus", .guest, by: owner),
                .stranger: UUID(),
            ]
            try await body(hub, home, users)
        }
    }

    @Test func theTableOfTheTestHasEveryMethodOnce() throws {
        #expect(Set(try MethodSource.callers.keys) == Set(Self.expectations.keys))
    }

    @Test(arguments: Way.allCases)
    func everyMethodIsForThosePartsAndThoseWaysOnly(way: Way) async throws {
        try await withParts { hub, home, users in
            for part in Part.allCases {
                let user = try #require(users[part])
                let client: SessionAuthority.Client = way == .here ? .person : .device
                let session = hub.accept(
                    as: SessionAuthority(user: user, device: UUID(), client: client, way: way),
                    deliver: { _ in }
                )
                defer { session.close() }
                session.hello = Hello(app: "test.walk", purpose: "Tests.")
                let homes = await hub.database.homes
                session.roles = homes.reduce(into: HomeRoles()) { $0[$1.id] = $1.activeRole(of: user) }
                // The hub's own user is a stranger in this home, which doesn't exist for them.
                let isMember = session.roles.contains(home)
                for (method, expected) in Self.expectations {
                    let refusal =
                        isMember
                        ? hub.router.refusal(of: method, to: session, in: home)
                        : hub.router.refusal(of: method, to: session)
                    let namesHome = HomeNaming.methods.contains(method)
                    let isPart = expected.parts.contains(part) || !isMember && namesHome
                    let code: HubError.Code? =
                        !isPart
                        ? HubError.Code(rawValue: "insufficientPrivileges")
                        : expected.ways.contains(way) ? nil : .notHere
                    #expect(refusal?.code == code || !isPart && refusal?.code == .notHere, "\(method) \(part) \(way)")
                }
            }
        }
    }

    @Test func aRefusedMethodDoesNothing() async throws {
        try await withParts { hub, home, users in
            let guest = SessionAuthority(user: try #require(users[.guest]), device: UUID(), client: .device)
            let client = try await RecordingHubClient(to: hub, with: guest)
            #expect(try await client.refusal(HubMethods.startBrowsing, Empty()) == "insufficientPrivileges")
            #expect(try await client.refusal(HubMethods.addHome, AddHome(name: "Mine")) == "insufficientPrivileges")
            let discovered = DiscoveredTarget(id: UUID())
            #expect(try await client.refusal(HubMethods.identifyDiscovered, discovered) == "insufficientPrivileges")
            let room = InHome(home, AddRoom(name: "Loft"))
            #expect(try await client.refusal(HubMethods.addRoom, room) == "insufficientPrivileges")
            #expect(await hub.database.homes.count == 2)

            let laptop = SessionAuthority(user: hub.owner.user, device: UUID(), client: .device)
            let owner = try await RecordingHubClient(to: hub, with: laptop)
            let backup = CreateBackup(passphrase: "correct horse")
            #expect(try await owner.refusal(HubMethods.makeBackup, backup) == HubError.Code.notHere.rawValue)
            let socket = OpenAppSocket(id: "com.example.x", socket: AppSocket(path: "/tmp/x", mode: 0o600, group: nil))
            #expect(try await owner.refusal(HubMethods.openAppSocket, socket) == HubError.Code.notHere.rawValue)
        }
    }

    @Test func aRepeatFromAnotherDeviceOfTheUserIsAnotherRequest() async throws {
        try await withHub { hub in
            let key = UUID()
            let call = try EncodedCall(HubMethods.addHome, AddHome(name: "Villa"), key: key)
            func make(on device: UUID) async throws -> Result<UUID, HubError> {
                let authority = SessionAuthority(user: hub.owner.user, device: device, client: .device)
                let client = try await KeyedClient(to: hub, with: authority)
                do {
                    return .success(try await client.make(call).id)
                } catch let error as HubError {
                    return .failure(error)
                }
            }
            let (laptop, phone) = (UUID(), UUID())
            let first = try await make(on: laptop)
            #expect(try await make(on: laptop) == first)
            guard case .failure(let error) = try await make(on: phone) else {
                Issue.record("The phone got the laptop's reply.")
                return
            }
            #expect(error.code == HubError.Code(rawValue: "nameTaken"))
        }
    }

    @Test func onlyTheOwnerMakesAdministratorsAndNotFromAway() async throws {
        try await withParts { hub, home, users async throws in
            func refusal(_ part: Part, _ way: Way) async throws -> String? {
                let user = try #require(users[part])
                let authority = SessionAuthority(user: user, device: UUID(), client: .device, way: way)
                let client = try await RecordingHubClient(to: hub, with: authority)
                let person = AddHomeUser(home: home, name: "Eve \(part.rawValue)", role: .administrator)
                return try await client.refusal(HubMethods.addUser, person)
            }
            #expect(try await refusal(.administrator, .near) == "insufficientPrivileges")
            #expect(try await refusal(.owner, .away) == HubError.Code.notHere.rawValue)
            #expect(try await refusal(.owner, .near) == nil)
        }
    }
}

/// The methods whose parameters name the home in which the caller's role counts.
private enum HomeNaming {
    static let methods: Set<String> = {
        let layout = """
            home.setPlace room.add room.remove room.rename room.reorder zone.add zone.remove zone.rename zone.addRoom
            zone.removeRoom service.reorder service.setHidden service.setAsksFirst service.rename
            service.setAssociatedType serviceGroup.add serviceGroup.remove serviceGroup.rename serviceGroup.addService
            serviceGroup.removeService actionSet.add actionSet.addOwned actionSet.remove actionSet.rename
            actionSet.setIcon action.add action.setValue action.remove trigger.add trigger.remove trigger.rename
            trigger.edit trigger.enable trigger.addActionSet trigger.removeActionSet accessory.rename accessory.move
            accessory.remove accessory.unblock user.add user.invite user.manage user.setRole user.setAway invitation.create
            accessory.add accessory.import accessory.block home.remove user.confirm
            """
        return Set(layout.split(whereSeparator: \.isWhitespace).map(String.init))
    }()
}
