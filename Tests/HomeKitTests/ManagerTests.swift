import Foundation
import HomeKit
import HomeModel
import HubAPI
import Testing

struct ManagerTests {
    @Test func untilTheFirstUpdateThereAreNoHomes() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        hub.isDown = true
        let manager = HMHomeManager(environment: hub.environment())
        let recorder = Recorder()
        manager.delegate = recorder
        let retry = try await hub.retries.next()
        #expect(manager.homes.isEmpty)
        #expect(manager.primaryHome == nil)
        #expect(manager.authorizationStatus.isEmpty)
        #expect(recorder.notes.drain().isEmpty)

        hub.isDown = false
        retry()
        #expect(try await recorder.next() == "status 5")
        #expect(try await recorder.next() == #"homes ["Villa"]"#)
        #expect(manager.primaryHome === manager.homes.first)
        #expect(manager.authorizationStatus.contains(.authorized))
        #expect(hub.greeting?.app == "com.example.test")
        #expect(hub.greeting?.purpose == "Tests")
    }

    @Test func theFirstUpdateComesAlsoWithoutHomes() async throws {
        let app = try await App(on: ScriptedHub())
        #expect(app.manager.homes.isEmpty)
        #expect(app.manager.primaryHome == nil)
    }

    @Test func aDelegateThatComesLateHearsThatTheHomesAreThere() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        let first = try await App(on: hub)
        let manager = HMHomeManager(environment: first.environment)
        // The second manager has no delegate until all of its callbacks have run.
        first.environment.queue.sync {}
        #expect(manager.homes.count == 1)
        let recorder = Recorder()
        manager.delegate = recorder
        #expect(try await recorder.next() == "status 5")
        #expect(try await recorder.next() == #"homes ["Villa"]"#)
    }

    @Test func callbacksComeOnTheMainQueueUnlessTheEnvironmentNamesAnother() async throws {
        final class Listener: NSObject, HMHomeManagerDelegate {
            let heard = Inbox<Bool>()

            func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
                dispatchPrecondition(condition: .onQueue(.main))
                manager.addHome(withName: "Villa") { [heard] _, error in
                    dispatchPrecondition(condition: .onQueue(.main))
                    heard.put(error == nil)
                }
            }
        }
        let hub = ScriptedHub()
        let environment = HomeKitEnvironment(app: "app", purpose: "") { ScriptedTransport(to: hub) }
        let manager = HMHomeManager(environment: environment)
        let listener = Listener()
        manager.delegate = listener
        try await hub.requests.next().refuse(.init(rawValue: "nameTaken"))
        #expect(try await listener.heard.next() == false)
    }

    @Test func withoutAHubCallsFailAndTheLogHasOneLine() async throws {
        let hub = ScriptedHub()
        hub.isDown = true
        let manager = HMHomeManager(environment: hub.environment())
        let first = try await hub.retries.next()
        #expect(await code { _ = try await manager.addHome(named: "Villa") } == .communicationFailure)
        first()
        let second = try await hub.retries.next()
        #expect(hub.attempts == 2)
        let lines = hub.log.drain()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("No hub answers at /nowhere.") == true)
        second()
        _ = try await hub.retries.next()
        #expect(hub.log.drain().isEmpty)
    }

    @Test func aCallThatIsMadeWhileTheConnectionOpensIsAnsweredAfterTheHomesAreThere() async throws {
        let hub = ScriptedHub()
        let environment = hub.environment()
        let manager = HMHomeManager(environment: environment)
        let recorder = Recorder()
        manager.delegate = recorder
        manager.addHome(withName: "Villa") { home, _ in recorder.notes.put("completed \(home?.name ?? "")") }
        let request = try await hub.requests.next()
        let id = try hub.addHome("Villa", isMine: true)
        try request.reply(AddedItem(id: id))
        #expect(try await recorder.nextUpdate().hasPrefix("homes"))
        #expect(try await recorder.next() == "completed Villa")
    }

    @Test func aLostConnectionIsMadeAgainWithTheSameObjects() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let kitchenID = try hub.addRoom("Kitchen", in: id)
        let goneID = try hub.addRoom("Attic", in: id)
        let app = try await App(on: hub)
        let home = try app.home()
        let kitchen = try #require(home.rooms.first { $0.uniqueIdentifier == kitchenID })
        let attic = try #require(home.rooms.first { $0.uniqueIdentifier == goneID })

        async let failure = code { try await kitchen.updateName("Cuisine") }
        _ = try await hub.requests.next()
        hub.isDown = true
        hub.lose()
        try await hub.retries.next()()
        #expect(await failure == .communicationFailure)
        hub.isDown = false
        #expect(await code { try await kitchen.updateName("Cuisine") } == .communicationFailure)
        #expect(home.rooms.count == 2)

        try hub.change(RemoveRoom(goneID), in: id)
        try hub.change(RenameRoom(kitchenID, name: "Cuisine"), in: id)
        try await hub.retries.next()()
        #expect(try await app.recorder.next() == #"homes ["Villa"]"#)
        #expect(app.manager.homes.first === home)
        #expect(home.rooms.first === kitchen)
        #expect(home.rooms.count == 1)
        #expect(kitchen.name == "Cuisine")
        #expect(attic.name == "Attic")
        #expect(await code { try await attic.updateName("Loft") } == .objectNotAssociatedToAnyHome)
        #expect(app.recorder.notes.drain().isEmpty)
        #expect(hub.log.drain().count == 2)
    }

    @Test func aRefusedAppKnowsThatItMayNot() async throws {
        let hub = ScriptedHub()
        hub.refusal = HubError(.appNotAllowed, "The owner does not allow it.")
        let manager = HMHomeManager(environment: hub.environment())
        let recorder = Recorder()
        manager.delegate = recorder
        #expect(try await recorder.next() == "status 1")
        let retry = try await hub.retries.next()
        #expect(manager.authorizationStatus == .determined)
        #expect(await code { _ = try await manager.addHome(named: "Villa") } == .homeAccessNotAuthorized)

        hub.refusal = nil
        retry()
        #expect(try await recorder.next() == "status 5")
        #expect(try await recorder.next() == "homes []")
    }

    @Test func managersOfOneEnvironmentShareAConnectionAndAreOneApp() async throws {
        let hub = ScriptedHub()
        let id = try hub.addHome("Villa")
        let app = try await App(on: hub)
        let other = HMHomeManager(environment: app.environment)
        let recorder = Recorder()
        other.delegate = recorder
        #expect(try await recorder.nextUpdate() == #"homes ["Villa"]"#)
        #expect(hub.connections == 1)

        let otherHome = try #require(other.homes.first)
        otherHome.delegate = recorder
        #expect(otherHome !== (try app.home()))
        try hub.addRoom("Mine", in: id, isMine: true)
        try hub.addRoom("Theirs", in: id)
        #expect(try await recorder.next() == "added room Theirs of 2")
    }

    @Test func theConnectionLastsAsLongAsAnyObjectOfTheApp() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        var app: App? = try await App(on: hub)
        var home: HMHome? = try app?.home()
        app = nil
        let addition = Inbox<String>()
        home?.addRoom(withName: "Kitchen") { room, _ in addition.put(room?.name ?? "") }
        let request = try await hub.requests.next()
        let id = try hub.addRoom("Kitchen", in: try #require(home?.uniqueIdentifier), isMine: true)
        try request.reply(AddedItem(id: id))
        #expect(try await addition.next() == "Kitchen")

        home = nil
        while hub.connections > 0 { await Task.yield() }
    }

    @Test func aCompletionRunsThoughTheAppDroppedEverything() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        var app: App? = try await App(on: hub)
        let done = Inbox<Bool>()
        try app?.home().updateName("Castle") { done.put($0 == nil) }
        app = nil
        let request = try await hub.requests.next()
        #expect(hub.connections == 1)
        try request.reply(Empty())
        #expect(try await done.next())
    }

    @Test func aSubclassIsAManager() async throws {
        final class Subclass: HMHomeManager, @unchecked Sendable {
            let recorder = Recorder()

            required init() {
                super.init()
                delegate = recorder
            }
        }
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        let manager = HomeKitEnvironment.$current.withValue(hub.environment()) { Subclass() }
        #expect(try await manager.recorder.nextUpdate() == #"homes ["Villa"]"#)
    }

    @Test func managersTakeTheEnvironmentOfTheirTask() async throws {
        let hub = ScriptedHub()
        try hub.addHome("Villa")
        let recorder = Recorder()
        let manager = HomeKitEnvironment.$current.withValue(hub.environment()) { HMHomeManager() }
        manager.delegate = recorder
        #expect(try await recorder.nextUpdate() == #"homes ["Villa"]"#)
    }
}
