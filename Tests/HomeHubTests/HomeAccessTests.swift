import Foundation
import HAPCatalog
import HAPClient
import HomeModel
import HubAPI
import Testing

@testable import HomeHub

/// Which values a session's client sees.
struct HomeAccessTests {
    private let villa = UUID()
    private let cabin = UUID()
    private let session = UUID()
    private let lamp = CharacteristicReference(accessory: UUID(), iid: 10)
    private let fan = CharacteristicReference(accessory: UUID(), iid: 20)

    /// The access of a client that is a member of the villa only, and subscribed to the lamp in both homes.
    private var access: HomeAccess {
        var access = HomeAccess()
        access.roles = HomeRoles([(villa, .owner)])
        for home in [villa, cabin] { _ = access.filter.set(lamp, in: home, enabled: true) }
        return access
    }

    private func value(of characteristic: CharacteristicReference, in home: UUID) -> ValueActivity {
        ValueActivity(
            update: ValueUpdate(home: home, characteristic: characteristic, value: .bool(true)),
            arrival: .next(),
            origin: .accessory
        )
    }

    private func seen(_ values: [ValueActivity], with access: HomeAccess) -> [ValueUpdate]? {
        access.visible(of: values, to: session)?.map(\.update)
    }

    @Test func aClientThatSeesAllValuesNeedsNoListOfItsOwn() {
        #expect(seen([value(of: lamp, in: villa)], with: access) == nil)
    }

    @Test func aClientSeesWhatItIsSubscribedToInHomesOfItsUser() {
        let values = [value(of: lamp, in: villa), value(of: fan, in: villa), value(of: lamp, in: cabin)]
        #expect(seen(values, with: access) == [values[0].update])
        #expect(seen(Array(values.reversed()), with: access) == [values[0].update])
        #expect(seen(Array(values[1...]), with: access) == [])
    }

    @Test func aSubscriptionToAllOfAHomeNeedsARoleThere() {
        var access = access
        for home in [villa, cabin] { access.filter.set(home: home, enabled: true) }
        let values = [value(of: fan, in: villa), value(of: fan, in: cabin)]
        #expect(seen(values, with: access) == [values[0].update])
    }

    @Test func nobodySeesAnythingOfAHomeThatIsClosedToThem() {
        var access = access
        access.roles[cabin] = .guest
        access.closedHomes = [villa]
        #expect(access.liveRoles.homes == [cabin])
        var values = [value(of: lamp, in: villa), value(of: lamp, in: cabin)]
        #expect(seen(values, with: access) == [values[1].update])
        access.isAgent = true
        #expect(seen(values, with: access) == [values[1].update])
        for index in values.indices { values[index].isForAll = true }
        #expect(seen(values, with: access) == [values[1].update])
    }

    @Test func aClientDoesNotGetAgainWhatItsReplyTellsIt() {
        var access = access
        var told = value(of: lamp, in: villa)
        told.repliedTo = UUID()
        #expect(seen([told], with: access) == nil)
        told.repliedTo = session
        #expect(seen([told], with: access) == [])
        access.isAgent = true
        #expect(seen([told], with: access) == [])
    }

    @Test func whatIsForAllNeedsNoSubscription() {
        var values = [value(of: fan, in: villa), value(of: fan, in: cabin)]
        for index in values.indices { values[index].isForAll = true }
        #expect(seen(values, with: access) == [values[0].update])
    }

    @Test func anAgentSeesAllValuesOfTheHomesOfItsUser() {
        var access = access
        access.isAgent = true
        let values = [value(of: fan, in: villa), value(of: fan, in: cabin)]
        #expect(seen(values, with: access) == [values[0].update])
    }

    @Test func onlyAnAgentThatIntroducesItselfIsOne() async throws {
        let introduction = AgentIntroduction(version: "1", platform: "test")
        func isAgent(_ client: SessionAuthority.Client, _ app: String, _ agent: AgentIntroduction?) async throws -> Bool
        {
            try await withHub { hub in
                let authority = SessionAuthority(user: hub.owner.user, device: UUID(), client: client)
                let session = hub.accept(as: authority, deliver: { _ in })
                defer { session.close() }
                session.hello = Hello(app: app, purpose: "", agent: agent)
                let isAgent = session.isAgent
                session.hello = nil
                #expect(!session.isAgent)
                return isAgent
            }
        }
        let app = HubProtocol.agentApp
        #expect(try await isAgent(.person, app, introduction))
        #expect(try await isAgent(.device, app, introduction))
        #expect(try await !isAgent(.person, app, nil))
        #expect(try await !isAgent(.person, "com.example.lights", introduction))
        #expect(try await !isAgent(.app(app), app, introduction))
    }

    @Test func aRoleIsReplacedAndRemoved() {
        var roles = HomeRoles()
        roles[villa] = .guest
        roles[cabin] = .owner
        roles[villa] = .administrator
        #expect(roles.homes == [villa, cabin])
        #expect(roles.roles == [.administrator, .owner])
        roles[villa] = nil
        roles[UUID()] = nil
        #expect(roles.count == 1)
        #expect(!roles.contains(villa))
        #expect(roles[cabin] == .owner)
    }
}
