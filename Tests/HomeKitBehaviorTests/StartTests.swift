import HomeKitTesting
import Testing

/// The start of an app.
struct StartTests {
    @Test func theFirstUpdateComesAlsoWithoutHomes() async throws {
        try await withTestHome { home in
            let owner = home.app("A")
            let only = try await owner.home()
            try await owner.manager.removeHome(only)
            let recorder = DelegateRecorder()
            home.app("B").manager.delegate = recorder
            try await home.until("the first update has come", is: 1) { recorder.count("homes []") }
            #expect(home.app("B").manager.primaryHome == nil)
        }
    }

    @Test func atTheFirstUpdateEverythingIsThere() async throws {
        /// A delegate that reads everything in the callback itself, as apps do.
        final class Walker: NSObject, HMHomeManagerDelegate, Sendable {
            let recorder = DelegateRecorder()

            func homeManagerDidUpdateHomes(_ manager: HMHomeManager) {
                for home in manager.homes {
                    for accessory in home.accessories {
                        let characteristics = accessory.services.flatMap(\.characteristics)
                        let formats = characteristics.filter { $0.metadata?.format != nil && !$0.properties.isEmpty }
                        recorder.record("\(accessory.name) in \(accessory.room?.name ?? "") \(formats.count > 5)")
                    }
                    recorder.record("primary \(manager.primaryHome === home) rooms \(home.rooms.map(\.name))")
                }
            }
        }
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"), to: "Study")
            let walker = Walker()
            home.app("A").manager.delegate = walker
            try await home.until("the homes were walked", is: ["Desk in Study true", #"primary true rooms ["Study"]"#])
            {
                walker.recorder.notes
            }
        }
    }

    @Test func eachOfSeveralManagersOfOneAppHearsThatTheHomesAreThere() async throws {
        try await withTestHome(named: "Villa") { home in
            let managers = home.app("A").run { (0..<3).map { _ in HMHomeManager() } }
            let all = managers.map { manager in
                let recorder = DelegateRecorder()
                manager.delegate = recorder
                return recorder
            }
            try await home.until("each is notified", is: [1, 1, 1]) { all.map { $0.count(#"homes ["Villa"]"#) } }
            let homes = managers.compactMap(\.homes.first)
            #expect(Set(homes.map(\.uniqueIdentifier)).count == 1)
            // Each manager has its own object.
            #expect(Set(homes).count == 3)
        }
    }

    @Test func identitiesAreTheSameWheneverAnAppStarts() async throws {
        func identities(_ home: HMHome) -> [UUID] {
            let services = home.accessories.flatMap(\.services)
            return [home.uniqueIdentifier] + home.rooms.map(\.uniqueIdentifier)
                + home.accessories.map(\.uniqueIdentifier) + services.map(\.uniqueIdentifier)
                + services.flatMap(\.characteristics).map(\.uniqueIdentifier)
        }
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"), to: "Study")
            let first = identities(try await home.app("A").home())
            let manager = home.app("A").run { HMHomeManager() }
            try await home.until("the app has started again") { !manager.homes.isEmpty }
            #expect(try identities(#require(manager.homes.first)) == first)
            #expect(identities(try await home.app("B").home()) == first)
            #expect(Set(first).count == first.count)
        }
    }

    @Test func onReturnFromTheBackgroundOneUpdateStandsForAllThatWasMissed() async throws {
        try await withTestHome(named: "Villa") { home in
            _ = try await home.add(.lamp("Desk"))
            let app = home.app("A")
            let own = try await app.home()
            let desk = try #require(own.accessories.first)
            let recorder = DelegateRecorder()
            app.manager.delegate = recorder
            recorder.observe(own)
            try await home.until("the delegate is there") { !recorder.notes.isEmpty }
            let before = recorder.notes.count

            app.enterBackground()
            let other = try await home.app("B").home()
            let attic = try await other.addRoom(named: "Attic")
            try await other.assignAccessory(#require(other.accessories.first), to: attic)
            app.enterForeground()
            try await home.until("the app is notified", is: [#"homes ["Villa"]"#]) {
                Array(recorder.notes.dropFirst(before))
            }
            #expect(own.rooms.map(\.name) == ["Attic"])
            // The same objects, with their delegates.
            #expect(app.manager.homes.first === own)
            #expect(own.accessories.first === desk)
            #expect(desk.room === own.rooms.first)
            try await attic.updateName("Loft")
            _ = try await other.addRoom(named: "Cellar")
            try await home.until("the home's delegate is notified", is: 1) { recorder.count("added room Cellar to 2") }
        }
    }

    @Test(.tags(.ownReading))
    func objectsAreTheSameWhileNothingChanges() async throws {
        try await withTestHome { home in
            _ = try await home.add(.lamp("Desk"), to: "Study")
            let own = try await home.app("A").home()
            func objects() -> [NSObject] {
                let services = own.accessories.flatMap(\.services)
                return [own, own.roomForEntireHome()] + own.rooms + own.accessories + services
                    + services.flatMap(\.characteristics)
            }
            let before = objects()
            let power = try await home.app("A").characteristic(HMCharacteristicTypePowerState, of: "Desk")
            try await power.writeValue(true)
            let after = objects()
            #expect(before.count == after.count)
            #expect(zip(before, after).filter { $0 !== $1 }.isEmpty)
            #expect(Set(before) == Set(after))
            #expect(after.firstIndex(of: power) != nil)
        }
    }
}
