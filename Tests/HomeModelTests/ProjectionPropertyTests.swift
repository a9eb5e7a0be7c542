import Foundation
import HomeModel
import HubAPI
import Testing

/// Properties of every home, for every user to whom it is sent.
@Suite struct ProjectionPropertyTests {
    /// A client that receives a home through a projection.
    private struct Client {
        var projection: Projection
        var state: HubState

        init(_ projection: Projection, of home: Home) {
            self.projection = projection
            state = projection.state(of: home)
        }
    }

    private static func clients(of test: TestHome) -> [Client] {
        [test.owner, test.administrator, test.guest].flatMap { caller in
            [
                Client(.test(caller.user), of: test.home),
                Client(.test(caller.user, app: "com.example.doors"), of: test.home),
                Client(.test(caller.user, app: "hearth", .person), of: test.home),
            ]
        }
    }

    /// Nothing that is sent to a session contains an account's ID, and a client that follows changes has the same state
    /// as one that receives the whole home.
    @Test(arguments: 0..<20)
    func nobodyIsShownAnAccountAndEverybodySeesTheSameHome(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        var test = TestHome()
        var clients = Self.clients(of: test)
        var accounts = Set(test.home.users.map(\.id))
        for step in 0..<250 {
            let caller = step.isMultiple(of: 3) ? test.administrator : test.owner
            let request = requests.next(for: test)
            guard let change = (try? test.home.decide(request, by: caller, at: TestHome.time)) ?? nil else { continue }
            let before = test.home
            test.home.apply(change)
            accounts.formUnion(test.home.users.map(\.id))
            for index in clients.indices {
                let projection = clients[index].projection
                let role = test.home.activeRole(of: projection.user)
                let sent = projection.change(change, in: .home(test.home.id), as: role)
                try Self.expectNone(of: accounts, in: sent)
                #expect(sent.verb == change.verb && sent.subjects.count == change.subjects.count)
                if projection.seesPlace(as: before.activeRole(of: projection.user)) == projection.seesPlace(as: role) {
                    clients[index].state.follow(change, in: test.home.id, by: projection, as: role)
                } else {
                    clients[index].state = projection.state(of: test.home)
                }
            }
        }
        for client in clients {
            let log = client.projection.log(test.home, at: LogCursor(lineage: UUID(), revision: 1))
            try Self.expectNone(of: accounts, in: log)
            #expect(Home(id: test.home.id, records: log.records) == client.state.homes[test.home.id])
        }
    }

    /// Sending a received object back changes nothing.
    @Test(arguments: 0..<20)
    func whatIsSentBackAsItWasShownChangesNothing(_ seed: UInt64) throws {
        var requests = RandomRequests(seed: seed)
        var test = TestHome()
        for step in 0..<200 {
            let caller = step.isMultiple(of: 2) ? test.administrator : test.owner
            let request = step < 100 ? requests.next(for: test) : requests.eventTrigger(for: test)
            let change = (try? test.home.decide(request, by: caller, at: TestHome.time)) ?? nil
            if let change { test.home.apply(change) }
        }
        var echoes = 0
        for client in Self.clients(of: test) {
            let home = try #require(client.state.homes[test.home.id])
            var caller = test.owner
            caller.user = client.projection.user
            for trigger in home.triggers {
                guard case .event(let rule) = trigger.definition else { continue }
                let edits: [TriggerEdit] = [
                    .events(rule.events), .endEvents(rule.endEvents), .condition(rule.condition),
                ]
                for edit in edits {
                    let request = client.projection.request(EditTrigger(trigger.id, edit), in: test.home)
                    do throws(HomeError) {
                        #expect(try test.home.decide(request, by: caller, at: TestHome.time) == nil)
                        echoes += 1
                    } catch {
                        // Guests change nothing, and the objects that a trigger depends on may have been removed since.
                        #expect(error.code != .invalidParameter, "\(error)")
                    }
                }
            }
        }
        #expect(echoes > 0)
    }

    private static func expectNone(of accounts: Set<UUID>, in message: some Encodable) throws {
        let text = String(decoding: try JSONEncoder().encode(message), as: UTF8.self).uppercased()
        for account in accounts {
            #expect(!text.contains(account.uuidString), "the account \(account) is in \(text)")
        }
    }
}
