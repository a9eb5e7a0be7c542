import Foundation
import HAPCatalog
import HomeModel
import HomeStore
import HubAPI
import Journal
import Testing

@testable import HomeHub

/// The methods that read the journal: who sees what, and what they refuse.
struct JournalMethodTests {
    @Test func guestsSeeWhatAccessoriesDoAndNotTheLayoutOrPeople() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            let user = AddHomeUser(home: fixture.home, name: "Ann", role: .guest)
            let guest = try await RecordingHubClient(
                to: fixture.hub,
                as: try await RecordingHubClient(to: fixture.hub).call(HubMethods.addUser, user).id
            )
            _ = try await fixture.client.call(HubMethods.followJournal, Empty())
            _ = try await guest.call(HubMethods.followJournal, Empty())
            let origin = Origin(cause: .person, caller: fixture.caller)
            fixture.hub.activities.publish(
                .presence(
                    PresenceActivity(
                        home: fixture.home,
                        user: fixture.hub.owner.user,
                        wasHome: nil,
                        isHome: true,
                        from: nil,
                        to: nil,
                        time: Date(),
                        origin: origin
                    )
                )
            )
            fixture.hub.activities.publish(
                .trigger(
                    TriggerActivity(
                        id: UUID(),
                        home: fixture.home,
                        trigger: UUID(),
                        time: Date(),
                        outcome: .fired,
                        event: TriggerEvent(
                            id: UUID(),
                            occurrence: .presence(Presence(.everyEntry, of: .users([fixture.hub.owner.user])))
                        ),
                        observations: [
                            Observation(
                                .presence(Presence(.firstEntry, of: .everyone)),
                                isTrue: true,
                                present: [fixture.hub.owner.user]
                            )
                        ],
                        due: nil,
                        parent: nil
                    )
                )
            )
            fixture.publish(.bool(true), previous: .bool(false), of: 11, on: lamp.id, by: origin)

            let query = JournalQuery(home: fixture.home, limit: 10)
            let seen = try await guest.call(HubMethods.journal, query).entries
            try #require(seen.count >= 2)
            #expect(seen[0].journalValue?.value == .bool(true))
            guard case .trigger(_, .fired, nil, [], nil) = seen[1].content, seen[1].names.isEmpty else {
                Issue.record("\(seen[1])")
                return
            }
            let kinds = Set(seen.map { JournalKind($0.content) })
            #expect(kinds.isDisjoint(with: [.change, .presence]))
            let whole = try await fixture.client.call(HubMethods.journal, query).entries
            #expect(whole.contains { JournalKind($0.content) == .presence })
            #expect(whole.contains { JournalKind($0.content) == .change })

            // The same holds for what is sent as it happens.
            _ = try await fixture.client.call(HubMethods.addRoom, InHome(fixture.home, AddRoom(name: "Attic")))
            fixture.publish(.bool(false), previous: .bool(true), of: 11, on: lamp.id, by: origin)
            await fixture.hub.journal.flush()
            // Replies come after the entries.
            for client in [guest, fixture.client] { _ = try await client.call(HubMethods.journal, query) }
            let live = guest.journal.map { JournalKind($0.content) }
            #expect(live == [.trigger, .value, .value])
            #expect(
                fixture.client.journal.map { JournalKind($0.content) } == [
                    .presence, .trigger, .value, .change, .value,
                ]
            )
        }
    }

    @Test func nobodyIsSentTheJournalWithoutAskingForIt() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            fixture.publish(.bool(true), previous: .bool(false), of: 11, on: lamp.id)
            await fixture.hub.journal.flush()
            #expect(fixture.client.journal.isEmpty)
        }
    }

    @Test func whoIsNotAMemberLearnsNothing() async throws {
        try await JournalFixture.with { fixture in
            let lamp = try fixture.accessory("Lamp")
            fixture.publish(.bool(true), previous: .bool(false), of: 11, on: lamp.id)
            let elsewhere = try await fixture.client.call(HubMethods.addHome, AddHome(name: "Elsewhere")).id
            let person = AddHomeUser(home: elsewhere, name: "Ann", role: .administrator)
            let id = try await fixture.client.call(HubMethods.addUser, person).id
            let ann = try #require(await fixture.hub.account(of: id, in: elsewhere, to: "hearth"))
            let stranger = try await RecordingHubClient(to: fixture.hub, as: ann)
            _ = try await stranger.call(HubMethods.followJournal, Empty())
            let target = ItemTarget(home: fixture.home, id: lamp.id)
            let samples = JournalSampleQuery(home: fixture.home, accessory: lamp.id, since: Date())
            let query = JournalQuery(home: fixture.home, limit: 10)
            #expect(try await stranger.refusal(HubMethods.journal, query) == "notFound")
            #expect(try await stranger.refusal(HubMethods.explain, target) == "notFound")
            #expect(try await stranger.refusal(HubMethods.journalSamples, samples) == "notFound")
            fixture.publish(.bool(false), previous: .bool(true), of: 11, on: lamp.id)
            await fixture.hub.journal.flush()
            #expect(stranger.journal.isEmpty)
            // A home of one's own doesn't open another home's journal.
            let cabin = try await stranger.call(HubMethods.addHome, AddHome(name: "Cabin")).id
            let about = JournalQuery(home: cabin, about: lamp.id, limit: 10)
            #expect(try await stranger.call(HubMethods.journal, about).entries.isEmpty)
            #expect(try await stranger.refusal(HubMethods.explain, ItemTarget(home: cabin, id: lamp.id)) == "notFound")
            let foreign = JournalSampleQuery(home: cabin, accessory: lamp.id, since: .distantPast)
            #expect(try await stranger.call(HubMethods.journalSamples, foreign).series.isEmpty)
        }
    }

    @Test func anAppOnItsOwnSocketCannotReadTheJournal() async throws {
        try await JournalFixture.with { fixture in
            let app = try await RecordingHubClient(
                to: fixture.hub,
                with: .app("com.example.lights", on: fixture.hub),
                app: "com.example.lights"
            )
            let query = JournalQuery(home: fixture.home, limit: 10)
            #expect(try await app.refusal(HubMethods.journal, query) == HubError.Code.appNotAllowed.rawValue)
            #expect(try await app.refusal(HubMethods.followJournal, Empty()) == HubError.Code.appNotAllowed.rawValue)
        }
    }

    @Test func aPageHasABoundAndContinuesFromAnEntryThatExists() async throws {
        try await JournalFixture.with { fixture in
            let most = HubProtocol.journalEntriesPerPage
            for limit in [0, -1, most + 1] {
                let query = JournalQuery(home: fixture.home, limit: limit)
                #expect(try await fixture.client.refusal(HubMethods.journal, query) == "invalidParameter")
            }
            #expect(
                try await fixture.client.refusal(HubMethods.journal, JournalQuery(home: fixture.home, limit: most))
                    == nil
            )
            #expect(
                try await fixture.client.refusal(HubMethods.journal, JournalQuery(home: fixture.home, limit: 1)) == nil
            )
            let unknown = JournalQuery(home: fixture.home, before: UUID(), limit: 1)
            #expect(try await fixture.client.refusal(HubMethods.journal, unknown) == "notFound")
            for name in ["One", "Two", "Three"] {
                _ = try await fixture.client.call(HubMethods.addRoom, InHome(fixture.home, AddRoom(name: name)))
            }
            let first = try await fixture.client.call(HubMethods.journal, JournalQuery(home: fixture.home, limit: 2))
            let next = JournalQuery(home: fixture.home, before: first.entries.last?.id, limit: 1)
            let second = try await fixture.client.call(HubMethods.journal, next)
            let names = (first.entries + second.entries).map { entry -> String? in
                guard case .change(_, let objects) = entry.content else { return nil }
                return objects.first?.name
            }
            #expect(names == ["Three", "Two", "One"])
        }
    }

    @Test func whatDoesNotExistIsNotExplainedAndWhatNeverChangedHasNoEntries() async throws {
        try await JournalFixture.with { fixture in
            let sensor = try fixture.accessory("Sensor")
            let nothing = ItemTarget(home: fixture.home, id: UUID())
            #expect(try await fixture.client.refusal(HubMethods.explain, nothing) == "notFound")
            let chain = try await fixture.explain(sensor.id)
            #expect(chain.isEmpty)
        }
    }

    @Test func aJournalOfANewerVersionIsNotReadAndTheHubWorks() async throws {
        try await withDataFolder { folder in
            let home = try await withHub(at: folder) { hub in
                try await RecordingHubClient(to: hub).call(HubMethods.addHome, AddHome(name: "Villa")).id
            }
            let file = folder.appending(path: "hub").appending(path: JournalFile.name)
            try setFormat(1_000, ofDatabaseAt: file.path)
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: "hearth")
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
                let query = JournalQuery(home: home, limit: 10)
                let code = try await client.refusal(HubMethods.journal, query)
                #expect(code == HubError.Code.journalUnavailable.rawValue)
            }
        }
    }

    @Test func aJournalThatOthersCanReadKeepsTheHubFromStarting() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { _ in }
            let file = folder.appending(path: "hub").appending(path: JournalFile.name)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            let error = await #expect(throws: StoreError.self) { try await withHub(at: folder) { _ in } }
            #expect(error?.code == .insecure)
            #expect(error?.reason.contains("chmod 600") == true)
        }
    }

    @Test func aBackupIsRestoredBesideTheJournalOfADamagedStore() throws {
        #expect(JournalFile.name == HomeStore.journalPrefix)
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for suffix in ["", "-wal", ".damaged-20261122T190233Z"] {
            try Data("x".utf8).write(to: folder.appending(path: JournalFile.name + suffix))
        }
        try HomeStore.checkIsVacant(folder)
    }
}

extension RecordingHubClient {
    /// The entries of the journal that were sent as they happened.
    fileprivate var journal: [JournalEntry] {
        messages.compactMap { message in
            if case .event(.journal(let entry)) = message { entry } else { nil }
        }
    }
}
